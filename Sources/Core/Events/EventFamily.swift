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

extension EventFamily {
  /// The type of the items that the family's events are about; `nil` when there is no one type.
  package var itemType: String? {
    switch self {
    case .outputText, .refusal: "message"
    case .reasoningText, .reasoningSummaryPart, .reasoningSummaryText: "reasoning"
    case .functionCallArguments: "function_call"
    case .customToolCallInput: "custom_tool_call"
    case .mcpCallArguments: "mcp_call"
    case .codeInterpreterCallCode: "code_interpreter_call"
    case .shellCallCommand: "shell_call"
    case .shellCallOutputContent: "shell_call_output"
    case .applyPatchCallOperationDiff: "apply_patch_call"
    case .mcpCall, .mcpListTools, .fileSearchCall, .webSearchCall, .codeInterpreterCall,
      .imageGenerationCall:
      rawValue
    default: nil
    }
  }
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
