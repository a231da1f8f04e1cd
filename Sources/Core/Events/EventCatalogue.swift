/// The event types that are known, one a row: what OpenAI documents, what it called them before,
/// and what other servers send.
///
/// A type that is in no row is an event all the same. Two families have no fixed names: a type with
/// a colon in it is a provider's own (Open Responses), as is one that begins with `responsesapi.`.
package enum EventCatalogue {
  /// A row: `fields` as `name:type`, `!` behind what is always there; `delta` and `final` name the
  /// members that hold a piece of the value and the whole of it.
  package struct Row: Sendable {
    package let name: StaticString
    package let family: EventFamily
    package let phase: EventPhase
    package let standing: EventStanding
    package let delta: StaticString?
    package let final: StaticString?
    package let fields: StaticString
  }

  private static func row(
    _ name: StaticString, _ family: EventFamily, _ phase: EventPhase, _ standing: EventStanding,
    delta: StaticString? = nil, final: StaticString? = nil, _ fields: StaticString = ""
  ) -> Row {
    Row(
      name: name, family: family, phase: phase, standing: standing, delta: delta, final: final,
      fields: fields)
  }

  // swift-format-ignore
  package static let rows: [Row] = [
    row("response.created", .lifecycle, .start, .official, "sequence_number:integer!, response:Response!"),
    row("response.queued", .lifecycle, .status, .official, "sequence_number:integer!, response:Response!"),
    row("response.in_progress", .lifecycle, .status, .official, "sequence_number:integer!, response:Response!"),
    row("response.completed", .lifecycle, .terminal, .official, final: "response", "sequence_number:integer!, response:Response!"),
    row("response.failed", .lifecycle, .terminal, .official, final: "response", "sequence_number:integer!, response:Response!"),
    row("response.incomplete", .lifecycle, .terminal, .official, final: "response", "sequence_number:integer!, response:Response!"),
    row("error", .error, .terminal, .official, "sequence_number:integer!, code:string|null!, message:string!, param:string|null!"),
    row("response.output_item.added", .outputItem, .start, .official, final: "item", "sequence_number:integer!, output_index:integer!, item:OutputItem!"),
    row("response.output_item.done", .outputItem, .done, .official, final: "item", "sequence_number:integer!, output_index:integer!, item:OutputItem!"),
    row("response.content_part.added", .contentPart, .start, .official, final: "part", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, part:OutputContent!"),
    row("response.content_part.done", .contentPart, .done, .official, final: "part", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, part:OutputContent!"),
    row("response.output_text.delta", .outputText, .delta, .official, delta: "delta", final: "text", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, delta:string!, logprobs:[ResponseLogProb], obfuscation:string"),
    row("response.output_text.done", .outputText, .done, .official, final: "text", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, text:string!, logprobs:[ResponseLogProb]"),
    row("response.output_text.annotation.added", .outputText, .annotation, .official, final: "annotation", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, annotation_index:integer!, annotation:Annotation|null!"),
    row("response.refusal.delta", .refusal, .delta, .official, delta: "delta", final: "refusal", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, delta:string!"),
    row("response.refusal.done", .refusal, .done, .official, final: "refusal", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, refusal:string!"),
    row("response.reasoning_text.delta", .reasoningText, .delta, .official, delta: "delta", final: "text", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, delta:string!"),
    row("response.reasoning_text.done", .reasoningText, .done, .official, final: "text", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, text:string!"),
    row("response.reasoning_summary_part.added", .reasoningSummaryPart, .start, .official, final: "part", "sequence_number:integer!, item_id:string!, output_index:integer!, summary_index:integer!, part:{type:\"summary_text\";text:string}!"),
    row("response.reasoning_summary_part.done", .reasoningSummaryPart, .done, .official, final: "part", "sequence_number:integer!, item_id:string!, output_index:integer!, summary_index:integer!, status:\"incomplete\", part:{type:\"summary_text\";text:string}!"),
    row("response.reasoning_summary_text.delta", .reasoningSummaryText, .delta, .official, delta: "delta", final: "text", "sequence_number:integer!, item_id:string!, output_index:integer!, summary_index:integer!, delta:string!, obfuscation:string"),
    row("response.reasoning_summary_text.done", .reasoningSummaryText, .done, .official, final: "text", "sequence_number:integer!, item_id:string!, output_index:integer!, summary_index:integer!, text:string!"),
    row("response.function_call_arguments.delta", .functionCallArguments, .delta, .official, delta: "delta", final: "arguments", "sequence_number:integer!, item_id:string!, output_index:integer!, delta:string!, obfuscation:string"),
    row("response.function_call_arguments.done", .functionCallArguments, .done, .official, final: "arguments", "sequence_number:integer!, item_id:string!, output_index:integer!, name:string, arguments:string!"),
    row("response.custom_tool_call_input.delta", .customToolCallInput, .delta, .official, delta: "delta", final: "input", "sequence_number:integer!, item_id:string!, output_index:integer!, delta:string!"),
    row("response.custom_tool_call_input.done", .customToolCallInput, .done, .official, final: "input", "sequence_number:integer!, item_id:string!, output_index:integer!, input:string!"),
    row("response.mcp_call_arguments.delta", .mcpCallArguments, .delta, .official, delta: "delta", final: "arguments", "sequence_number:integer!, item_id:string!, output_index:integer!, delta:string!, obfuscation:string"),
    row("response.mcp_call_arguments.done", .mcpCallArguments, .done, .official, final: "arguments", "sequence_number:integer!, item_id:string!, output_index:integer!, arguments:string!"),
    row("response.mcp_call.in_progress", .mcpCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.mcp_call.completed", .mcpCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.mcp_call.failed", .mcpCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.mcp_list_tools.in_progress", .mcpListTools, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.mcp_list_tools.completed", .mcpListTools, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.mcp_list_tools.failed", .mcpListTools, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.file_search_call.in_progress", .fileSearchCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.file_search_call.searching", .fileSearchCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.file_search_call.completed", .fileSearchCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.web_search_call.in_progress", .webSearchCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.web_search_call.searching", .webSearchCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.web_search_call.completed", .webSearchCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.code_interpreter_call.in_progress", .codeInterpreterCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.code_interpreter_call.interpreting", .codeInterpreterCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.code_interpreter_call.completed", .codeInterpreterCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.code_interpreter_call_code.delta", .codeInterpreterCallCode, .delta, .official, delta: "delta", final: "code", "sequence_number:integer!, item_id:string!, output_index:integer!, delta:string!, obfuscation:string"),
    row("response.code_interpreter_call_code.done", .codeInterpreterCallCode, .done, .official, final: "code", "sequence_number:integer!, item_id:string!, output_index:integer!, code:string!"),
    row("response.image_generation_call.in_progress", .imageGenerationCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.image_generation_call.generating", .imageGenerationCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.image_generation_call.partial_image", .imageGenerationCall, .delta, .official, delta: "partial_image_b64", final: "item.result", "sequence_number:integer!, item_id:string!, output_index:integer!, partial_image_index:integer!, partial_image_b64:string!, size:string, quality:string, background:string, output_format:string"),
    row("response.image_generation_call.completed", .imageGenerationCall, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.audio.delta", .audio, .delta, .official, delta: "delta", "sequence_number:integer!, delta:string!"),
    row("response.audio.done", .audio, .done, .official, "sequence_number:integer!"),
    row("response.audio.transcript.delta", .audioTranscript, .delta, .official, delta: "delta", "sequence_number:integer!, delta:string!"),
    row("response.audio.transcript.done", .audioTranscript, .done, .official, "sequence_number:integer!"),
    row("response.shell_call_command.added", .shellCallCommand, .start, .official, final: "command", "sequence_number:integer!, output_index:integer!, command_index:integer!, command:string!"),
    row("response.shell_call_command.delta", .shellCallCommand, .delta, .official, delta: "delta", final: "command", "sequence_number:integer!, output_index:integer!, command_index:integer!, delta:string!, obfuscation:string"),
    row("response.shell_call_command.done", .shellCallCommand, .done, .official, final: "command", "sequence_number:integer!, output_index:integer!, command_index:integer!, command:string!"),
    row("response.shell_call_output_content.delta", .shellCallOutputContent, .delta, .official, delta: "delta", final: "output", "sequence_number:integer!, item_id:string!, output_index:integer!, command_index:integer!, delta:ShellCallOutputDelta!"),
    row("response.shell_call_output_content.done", .shellCallOutputContent, .done, .official, final: "output", "sequence_number:integer!, item_id:string!, output_index:integer!, command_index:integer!, output:[FunctionShellCallOutputContent]!"),
    row("response.compaction.compacting", .compaction, .status, .official, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.steer.accepted", .websocket, .status, .official, "sequence_number:integer!, steer:{id;previous_response_id}!, stream_id:string"),
    row("response.steer.pending", .websocket, .status, .official, "sequence_number:integer!, steer:{id;previous_response_id}!, reason:string!, required_input:[stub]!, stream_id:string"),
    row("response.steer.failed", .websocket, .status, .official, "sequence_number:integer!, steer:{id?;previous_response_id;input}!, error:{type;code;message}!, stream_id:string"),
    row("response.inject.created", .websocket, .status, .official, "sequence_number:integer!, response_id:string!, stream_id:string"),
    row("response.inject.failed", .websocket, .status, .official, "sequence_number:integer!, response_id:string!, input:[item]!, error:{code;message}!, stream_id:string"),
    row("response.create", .websocketClient, .start, .official, "every POST /responses body field except stream and background, stream_id:string(1..256 [A-Za-z0-9_.-])"),
    row("response.steer", .websocketClient, .start, .official, "previous_response_id:string!, input:string|[user message]!"),
    row("response.inject", .websocketClient, .start, .official, "response_id:string!, input:[item]!"),
    row("response.code_interpreter_call.code.delta", .codeInterpreterCallCode, .delta, .legacy, delta: "delta", final: "code", "output_index:integer!, delta:string!, sequence_number:integer"),
    row("response.code_interpreter_call.code.done", .codeInterpreterCallCode, .done, .legacy, final: "code", "output_index:integer!, code:string!, sequence_number:integer"),
    row("response.mcp_call.arguments_delta", .mcpCallArguments, .delta, .legacy, delta: "delta", final: "arguments", "sequence_number:integer, item_id:string!, output_index:integer!, delta:object|string!"),
    row("response.mcp_call.arguments_done", .mcpCallArguments, .done, .legacy, final: "arguments", "sequence_number:integer, item_id:string!, output_index:integer!, arguments:object|string!"),
    row("response.output_text_annotation.added", .outputText, .annotation, .legacy, final: "annotation", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, annotation_index:integer!, annotation:object!"),
    row("response.reasoning.delta", .reasoningText, .delta, .legacy, delta: "delta", final: "text", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, delta:string|object!, obfuscation:string"),
    row("response.reasoning.done", .reasoningText, .done, .legacy, final: "text", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, text:string!"),
    row("response.reasoning_summary.delta", .reasoningSummaryText, .delta, .legacy, delta: "delta", final: "text", "sequence_number:integer, item_id:string!, output_index:integer!, summary_index:integer!, delta:object|string!"),
    row("response.reasoning_summary.done", .reasoningSummaryText, .done, .legacy, final: "text", "sequence_number:integer, item_id:string!, output_index:integer!, summary_index:integer!, text:string!"),
    row("response.audio_transcript.delta", .audioTranscript, .delta, .legacy, delta: "delta", "sequence_number:integer, delta:string!"),
    row("response.audio_transcript.done", .audioTranscript, .done, .legacy, "sequence_number:integer"),
    row("response.text.delta", .outputText, .delta, .legacy, delta: "delta", final: "text", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, delta:string!"),
    row("response.text.done", .outputText, .done, .legacy, final: "text", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, text:string!"),
    row("response.mcp_call.arguments.delta", .mcpCallArguments, .delta, .alias, delta: "delta", final: "arguments", "sequence_number:integer, item_id:string!, output_index:integer!, delta:string!"),
    row("response.mcp_call.arguments.done", .mcpCallArguments, .done, .alias, final: "arguments", "sequence_number:integer, item_id:string!, output_index:integer!, arguments:string!"),
    row("response.done", .lifecycle, .terminal, .alias, final: "response", "response:Response!, sequence_number:integer"),
    row("response.cancelled", .lifecycle, .terminal, .alias, final: "response", "response:Response"),
    row("response.error", .error, .terminal, .alias, "error:{type;code;message;param}, sequence_number:integer"),
    row("response.keep_alive", .keepalive, .status, .alias),
    row("response.connecting", .metadata, .status, .alias),
    row("response.output_audio.delta", .audio, .delta, .alias, delta: "delta", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, delta:string!"),
    row("response.output_audio.done", .audio, .done, .alias, "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!"),
    row("response.output_audio_transcript.delta", .audioTranscript, .delta, .alias, delta: "delta", final: "transcript", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, delta:string!"),
    row("response.output_audio_transcript.done", .audioTranscript, .done, .alias, final: "transcript", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, transcript:string!"),
    row("keepalive", .keepalive, .status, .vendor, "sequence_number:integer!"),
    row("response.apply_patch_call_operation_diff.delta", .applyPatchCallOperationDiff, .delta, .vendor, delta: "delta", final: "diff", "sequence_number:integer!, item_id:string!, output_index:integer!, delta:string!, obfuscation:string"),
    row("response.apply_patch_call_operation_diff.done", .applyPatchCallOperationDiff, .done, .vendor, final: "diff", "sequence_number:integer!, item_id:string!, output_index:integer!, diff:string!"),
    row("codex.rate_limits", .metadata, .status, .vendor, "plan_type:string, rate_limits:{primary:{used_percent;window_minutes;reset_at};secondary:{...}}"),
    row("response.reasoning_part.added", .reasoningText, .start, .vendor, final: "part", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, part:{type;text}!"),
    row("response.reasoning_part.done", .reasoningText, .done, .vendor, final: "part", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, part:{type;text}!"),
    row("response.x_search_call.in_progress", .xSearchCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.x_search_call.searching", .xSearchCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.x_search_call.completed", .xSearchCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.code_execution_call.in_progress", .codeExecutionCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.code_execution_call.executing", .codeExecutionCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.code_execution_call.completed", .codeExecutionCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.code_interpreter_call.executing", .codeInterpreterCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.mcp_call.executing", .mcpCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.mcp_call_output.delta", .mcpCall, .delta, .vendor, delta: "delta", final: "output", "sequence_number:integer, item_id:string!, output_index:integer!, delta:string!"),
    row("response.mcp_call_output.done", .mcpCall, .done, .vendor, final: "output", "sequence_number:integer, item_id:string!, output_index:integer!, output:string"),
    row("response.fusion_call.in_progress", .fusionCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.fusion_call.panel.added", .fusionCall, .start, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.fusion_call.panel.delta", .fusionCall, .delta, .vendor, delta: "delta", "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.fusion_call.panel.reasoning.delta", .fusionCall, .delta, .vendor, delta: "delta", "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.fusion_call.panel.completed", .fusionCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.fusion_call.panel.failed", .fusionCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.fusion_call.analysis.in_progress", .fusionCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.fusion_call.analysis.completed", .fusionCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.fusion_call.completed", .fusionCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.debug", .metadata, .status, .vendor, "sequence_number:integer"),
  ]
}

/// What an event type is about. Old names and other servers' names are in the family of the
/// official type, so code that goes by family and phase needs to know none of them.
package enum EventFamily: String, Sendable {
  case lifecycle, error, keepalive, metadata, websocket
  case websocketClient = "websocket-client"
  case outputItem = "output_item"
  case contentPart = "content_part"
  case outputText = "output_text"
  case refusal
  case reasoningText = "reasoning_text"
  case reasoningSummaryPart = "reasoning_summary_part"
  case reasoningSummaryText = "reasoning_summary_text"
  case functionCallArguments = "function_call_arguments"
  case customToolCallInput = "custom_tool_call_input"
  case mcpCallArguments = "mcp_call_arguments"
  case mcpCall = "mcp_call"
  case mcpListTools = "mcp_list_tools"
  case fileSearchCall = "file_search_call"
  case webSearchCall = "web_search_call"
  case codeInterpreterCall = "code_interpreter_call"
  case codeInterpreterCallCode = "code_interpreter_call_code"
  case imageGenerationCall = "image_generation_call"
  case audio
  case audioTranscript = "audio_transcript"
  case shellCallCommand = "shell_call_command"
  case shellCallOutputContent = "shell_call_output_content"
  case applyPatchCallOperationDiff = "apply_patch_call_operation_diff"
  case compaction
  case xSearchCall = "x_search_call"
  case codeExecutionCall = "code_execution_call"
  case fusionCall = "fusion_call"
}

/// What an event does: it opens something, tells of its state, adds to it, ends it, or ends the
/// response.
package enum EventPhase: String, Sendable {
  case start, status, delta, done, annotation, terminal
}

/// Who sends an event type: it is documented, it was, it is another name that some relay uses, or
/// one server's own.
package enum EventStanding: String, Sendable {
  case official, legacy, alias, vendor
}
