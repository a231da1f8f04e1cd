import Core

extension SendTool {
  static var toolOptions: [Option<Settings>] {
    [
      .value(
        "tool", "t", "TOOL", .oneOf(ToolKind.table.map(\.name) + ["help"]),
        help: "Let the model use TOOL, as web_search; repeatable. \"help\" lists all.",
        detail: """
          .Ar TOOL
          is a short form as
          .Sx Tools
          has it, JSON of a tool or of an array of them, or
          .Pf @ Ar FILE
          for such JSON in a file.
          All together are the tools of the request, in place of those that a preset or a body
          has;
          .Ql \\-\\-set 'tools[+]={...}'
          adds one.
          """
      ) { settings, text throws(Failure) in
        if text == "help" {
          settings.request.tools.areListed = true
          return
        }
        let argument = try telling(of: "--tool") { () throws(Failure) in
          try ToolArgument(text, &settings.request.hints)
        }
        settings.request.tools.arguments.append(argument)
      },
      .value(
        "tool-choice", nil, "CHOICE", .oneOf(ToolChoice.names),
        help: "Have the model call this tool, one of these, or none.",
        detail: """
          .Ar CHOICE
          is
          .Cm none ,
          .Cm auto ,
          .Cm required ,
          .Cm function Ns = Ns Ar NAME ,
          .Cm custom Ns = Ns Ar NAME ,
          .Cm mcp Ns = Ns Ar LABEL Ns Op / Ns Ar NAME ,
          the type of a tool of the server such as
          .Cm file_search ,
          or JSON.
          .Cm allowed Ns = Ns Ar TOOL Ns \\&; Ns Ar TOOL Ns ...
          keeps the model to some of the tools, and with
          .Ql ,required
          behind it to calling one of them; a bare name there is a function's.
          """
      ) { settings, text throws(Failure) in
        let value = try telling(of: "--tool-choice") { () throws(Failure) in
          try ToolChoice.value(text)
        }
        settings.request.parameters.append(BodyEdit("--tool-choice", "tool_choice", value))
      },
    ]
  }
}
