/// The known event types: the neutral standard's, OpenAI's further ones and its former names, and
/// other servers' types.
///
/// An event without a row is an event all the same. Two families have no fixed names: a type with a
/// colon in it is a provider's own (Open Responses), as is one that begins with `responsesapi.`.
package enum EventCatalogue {
  /// One event type: `fields` as `name:type`, `!` behind a field that is always there; `delta` and
  /// `final` name the members that hold a piece of the value and the whole value.
  package struct Row: Sendable {
    package let name: StaticString
    package let family: EventFamily
    package let phase: EventPhase
    package let standing: EventStanding
    package let delta: StaticString?
    package let final: StaticString?
    package let fields: StaticString
  }

  /// A row for each of `names`; the rows differ only in their names.
  private static func row(
    _ names: StaticString..., in family: EventFamily, _ phase: EventPhase,
    _ standing: EventStanding,
    delta: StaticString? = nil, final: StaticString? = nil, _ fields: StaticString = ""
  ) -> [Row] {
    names.map {
      Row(
        name: $0, family: family, phase: phase, standing: standing, delta: delta, final: final,
        fields: fields)
    }
  }

  package static let rows = table.flatMap { $0 }

  /// Whether `name`, a type without a row, is of a known family: the toolkit's, or a new one of the
  /// API.
  package static func isOfFamily(_ name: Span<UInt8>) -> Bool {
    (["responsesapi.", "oresp.", "response."] as [StaticString]).contains { start in
      name.starts(with: start, at: 0)
    }
  }

  // swift-format-ignore
  private static let table: [[Row]] = [
    row("response.created", in: .lifecycle, .start, .standard, "sequence_number:integer!, response:Response!"),
    row("response.queued", "response.in_progress", in: .lifecycle, .status, .standard, "sequence_number:integer!, response:Response!"),
    row("response.completed", "response.failed", "response.incomplete", in: .lifecycle, .terminal, .standard, final: "response", "sequence_number:integer!, response:Response!"),
    row("error", in: .error, .terminal, .standard, "sequence_number:integer!, code:string|null!, message:string!, param:string|null!"),
    row("response.output_item.added", in: .outputItem, .start, .standard, final: "item", "sequence_number:integer!, output_index:integer!, item:OutputItem!"),
    row("response.output_item.done", in: .outputItem, .done, .standard, final: "item", "sequence_number:integer!, output_index:integer!, item:OutputItem!"),
    row("response.content_part.added", in: .contentPart, .start, .standard, final: "part", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, part:OutputContent!"),
    row("response.content_part.done", in: .contentPart, .done, .standard, final: "part", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, part:OutputContent!"),
    row("response.output_text.delta", in: .outputText, .delta, .standard, delta: "delta", final: "text", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, delta:string!, logprobs:[ResponseLogProb], obfuscation:string"),
    row("response.output_text.done", in: .outputText, .done, .standard, final: "text", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, text:string!, logprobs:[ResponseLogProb]"),
    row("response.output_text.annotation.added", in: .outputText, .annotation, .standard, final: "annotation", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, annotation_index:integer!, annotation:Annotation|null!"),
    row("response.refusal.delta", in: .refusal, .delta, .standard, delta: "delta", final: "refusal", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, delta:string!"),
    row("response.refusal.done", in: .refusal, .done, .standard, final: "refusal", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, refusal:string!"),
    row("response.reasoning_text.delta", in: .reasoningText, .delta, .openai, delta: "delta", final: "text", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, delta:string!"),
    row("response.reasoning_text.done", in: .reasoningText, .done, .openai, final: "text", "sequence_number:integer!, item_id:string!, output_index:integer!, content_index:integer!, text:string!"),
    row("response.reasoning_summary_part.added", in: .reasoningSummaryPart, .start, .standard, final: "part", "sequence_number:integer!, item_id:string!, output_index:integer!, summary_index:integer!, part:{type:\"summary_text\";text:string}!"),
    row("response.reasoning_summary_part.done", in: .reasoningSummaryPart, .done, .standard, final: "part", "sequence_number:integer!, item_id:string!, output_index:integer!, summary_index:integer!, status:\"incomplete\", part:{type:\"summary_text\";text:string}!"),
    row("response.reasoning_summary_text.delta", in: .reasoningSummaryText, .delta, .standard, delta: "delta", final: "text", "sequence_number:integer!, item_id:string!, output_index:integer!, summary_index:integer!, delta:string!, obfuscation:string"),
    row("response.reasoning_summary_text.done", in: .reasoningSummaryText, .done, .standard, final: "text", "sequence_number:integer!, item_id:string!, output_index:integer!, summary_index:integer!, text:string!"),
    row("response.function_call_arguments.delta", in: .functionCallArguments, .delta, .standard, delta: "delta", final: "arguments", "sequence_number:integer!, item_id:string!, output_index:integer!, delta:string!, obfuscation:string"),
    row("response.function_call_arguments.done", in: .functionCallArguments, .done, .standard, final: "arguments", "sequence_number:integer!, item_id:string!, output_index:integer!, name:string, arguments:string!"),
    row("response.custom_tool_call_input.delta", in: .customToolCallInput, .delta, .openai, delta: "delta", final: "input", "sequence_number:integer!, item_id:string!, output_index:integer!, delta:string!"),
    row("response.custom_tool_call_input.done", in: .customToolCallInput, .done, .openai, final: "input", "sequence_number:integer!, item_id:string!, output_index:integer!, input:string!"),
    row("response.mcp_call_arguments.delta", in: .mcpCallArguments, .delta, .openai, delta: "delta", final: "arguments", "sequence_number:integer!, item_id:string!, output_index:integer!, delta:string!, obfuscation:string"),
    row("response.mcp_call_arguments.done", in: .mcpCallArguments, .done, .openai, final: "arguments", "sequence_number:integer!, item_id:string!, output_index:integer!, arguments:string!"),
    row("response.mcp_call.in_progress", "response.mcp_call.completed", "response.mcp_call.failed", in: .mcpCall, .status, .openai, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.mcp_list_tools.in_progress", "response.mcp_list_tools.completed", "response.mcp_list_tools.failed", in: .mcpListTools, .status, .openai, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.file_search_call.in_progress", "response.file_search_call.searching", "response.file_search_call.completed", in: .fileSearchCall, .status, .openai, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.web_search_call.in_progress", "response.web_search_call.searching", "response.web_search_call.completed", in: .webSearchCall, .status, .openai, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.code_interpreter_call.in_progress", "response.code_interpreter_call.interpreting", "response.code_interpreter_call.completed", in: .codeInterpreterCall, .status, .openai, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.code_interpreter_call_code.delta", in: .codeInterpreterCallCode, .delta, .openai, delta: "delta", final: "code", "sequence_number:integer!, item_id:string!, output_index:integer!, delta:string!, obfuscation:string"),
    row("response.code_interpreter_call_code.done", in: .codeInterpreterCallCode, .done, .openai, final: "code", "sequence_number:integer!, item_id:string!, output_index:integer!, code:string!"),
    row("response.image_generation_call.in_progress", "response.image_generation_call.generating", in: .imageGenerationCall, .status, .openai, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.image_generation_call.partial_image", in: .imageGenerationCall, .delta, .openai, delta: "partial_image_b64", final: "item.result", "sequence_number:integer!, item_id:string!, output_index:integer!, partial_image_index:integer!, partial_image_b64:string!, size:string, quality:string, background:string, output_format:string"),
    row("response.image_generation_call.completed", in: .imageGenerationCall, .status, .openai, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.audio.delta", in: .audio, .delta, .openai, delta: "delta", "sequence_number:integer!, delta:string!"),
    row("response.audio.done", in: .audio, .done, .openai, "sequence_number:integer!"),
    row("response.audio.transcript.delta", in: .audioTranscript, .delta, .openai, delta: "delta", "sequence_number:integer!, delta:string!"),
    row("response.audio.transcript.done", in: .audioTranscript, .done, .openai, "sequence_number:integer!"),
    row("response.shell_call_command.added", in: .shellCallCommand, .start, .openai, final: "command", "sequence_number:integer!, output_index:integer!, command_index:integer!, command:string!"),
    row("response.shell_call_command.delta", in: .shellCallCommand, .delta, .openai, delta: "delta", final: "command", "sequence_number:integer!, output_index:integer!, command_index:integer!, delta:string!, obfuscation:string"),
    row("response.shell_call_command.done", in: .shellCallCommand, .done, .openai, final: "command", "sequence_number:integer!, output_index:integer!, command_index:integer!, command:string!"),
    row("response.shell_call_output_content.delta", in: .shellCallOutputContent, .delta, .openai, delta: "delta", final: "output", "sequence_number:integer!, item_id:string!, output_index:integer!, command_index:integer!, delta:ShellCallOutputDelta!"),
    row("response.shell_call_output_content.done", in: .shellCallOutputContent, .done, .openai, final: "output", "sequence_number:integer!, item_id:string!, output_index:integer!, command_index:integer!, output:[FunctionShellCallOutputContent]!"),
    row("response.compaction.compacting", in: .compaction, .status, .openai, "sequence_number:integer!, item_id:string!, output_index:integer!"),
    row("response.steer.accepted", in: .websocket, .status, .openai, "sequence_number:integer!, steer:{id;previous_response_id}!, stream_id:string"),
    row("response.steer.pending", in: .websocket, .status, .openai, "sequence_number:integer!, steer:{id;previous_response_id}!, reason:string!, required_input:[stub]!, stream_id:string"),
    row("response.steer.failed", in: .websocket, .status, .openai, "sequence_number:integer!, steer:{id?;previous_response_id;input}!, error:{type;code;message}!, stream_id:string"),
    row("response.inject.created", in: .websocket, .status, .openai, "sequence_number:integer!, response_id:string!, stream_id:string"),
    row("response.inject.failed", in: .websocket, .status, .openai, "sequence_number:integer!, response_id:string!, input:[item]!, error:{code;message}!, stream_id:string"),
    row("response.create", in: .websocketClient, .start, .standard, "every POST /responses body field except stream and background, stream_id:string(1..256 [A-Za-z0-9_.-])"),
    row("response.steer", in: .websocketClient, .start, .openai, "previous_response_id:string!, input:string|[user message]!"),
    row("response.inject", in: .websocketClient, .start, .openai, "response_id:string!, input:[item]!"),
    row("response.append", in: .websocketClient, .start, .vendor, "input:[item]!"),
    row("response.processed", in: .websocketClient, .start, .vendor, "response_id:string!"),
    row("transcript.text.delta", in: .transcription, .delta, .openai, delta: "delta", final: "text", "delta:string!, logprobs:[LogProb], segment_id:string"),
    row("transcript.text.segment", in: .transcription, .status, .openai, "id:string!, start:number!, end:number!, speaker:string!, text:string!"),
    row("transcript.text.done", in: .transcription, .done, .openai, final: "text", "text:string!, logprobs:[LogProb], usage:Usage"),
    row("speech.audio.delta", in: .speech, .delta, .openai, delta: "audio", "audio:string!"),
    row("speech.audio.done", in: .speech, .done, .openai, "usage:Usage!"),
    row("image_generation.partial_image", "image_edit.partial_image", in: .image, .delta, .openai, delta: "b64_json", final: "b64_json", "b64_json:string!, partial_image_index:integer!, created_at:integer!, size:string!, quality:string!, background:string!, output_format:string!"),
    row("image_generation.completed", "image_edit.completed", in: .image, .done, .openai, final: "b64_json", "b64_json:string!, created_at:integer!, size:string!, quality:string!, background:string!, output_format:string!, usage:Usage!"),
    row("response.code_interpreter_call.code.delta", in: .codeInterpreterCallCode, .delta, .legacy, delta: "delta", final: "code", "output_index:integer!, delta:string!, sequence_number:integer"),
    row("response.code_interpreter_call.code.done", in: .codeInterpreterCallCode, .done, .legacy, final: "code", "output_index:integer!, code:string!, sequence_number:integer"),
    row("response.mcp_call.arguments_delta", in: .mcpCallArguments, .delta, .legacy, delta: "delta", final: "arguments", "sequence_number:integer, item_id:string!, output_index:integer!, delta:object|string!"),
    row("response.mcp_call.arguments_done", in: .mcpCallArguments, .done, .legacy, final: "arguments", "sequence_number:integer, item_id:string!, output_index:integer!, arguments:object|string!"),
    row("response.output_text_annotation.added", in: .outputText, .annotation, .legacy, final: "annotation", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, annotation_index:integer!, annotation:object!"),
    row("response.reasoning.delta", in: .reasoningText, .delta, .standard, delta: "delta", final: "text", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, delta:string|object!, obfuscation:string"),
    row("response.reasoning.done", in: .reasoningText, .done, .standard, final: "text", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, text:string!"),
    row("response.reasoning_summary.delta", in: .reasoningSummaryText, .delta, .legacy, delta: "delta", final: "text", "sequence_number:integer, item_id:string!, output_index:integer!, summary_index:integer!, delta:object|string!"),
    row("response.reasoning_summary.done", in: .reasoningSummaryText, .done, .legacy, final: "text", "sequence_number:integer, item_id:string!, output_index:integer!, summary_index:integer!, text:string!"),
    row("response.audio_transcript.delta", in: .audioTranscript, .delta, .legacy, delta: "delta", "sequence_number:integer, delta:string!"),
    row("response.audio_transcript.done", in: .audioTranscript, .done, .legacy, "sequence_number:integer"),
    row("response.text.delta", in: .outputText, .delta, .legacy, delta: "delta", final: "text", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, delta:string!"),
    row("response.text.done", in: .outputText, .done, .legacy, final: "text", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, text:string!"),
    row("response.mcp_call.arguments.delta", in: .mcpCallArguments, .delta, .alias, delta: "delta", final: "arguments", "sequence_number:integer, item_id:string!, output_index:integer!, delta:string!"),
    row("response.mcp_call.arguments.done", in: .mcpCallArguments, .done, .alias, final: "arguments", "sequence_number:integer, item_id:string!, output_index:integer!, arguments:string!"),
    row("response.done", in: .lifecycle, .terminal, .alias, final: "response", "response:Response!, sequence_number:integer"),
    row("response.cancelled", in: .lifecycle, .terminal, .alias, final: "response", "response:Response"),
    row("response.error", in: .error, .terminal, .alias, "error:{type;code;message;param}, sequence_number:integer"),
    row("response.keep_alive", in: .keepalive, .status, .alias),
    row("response.connecting", in: .metadata, .status, .alias),
    row("response.output_audio.delta", in: .audio, .delta, .alias, delta: "delta", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, delta:string!"),
    row("response.output_audio.done", in: .audio, .done, .alias, "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!"),
    row("response.output_audio_transcript.delta", in: .audioTranscript, .delta, .alias, delta: "delta", final: "transcript", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, delta:string!"),
    row("response.output_audio_transcript.done", in: .audioTranscript, .done, .alias, final: "transcript", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, transcript:string!"),
    row("keepalive", in: .keepalive, .status, .vendor, "sequence_number:integer!"),
    row("codex.keepalive", "response.heartbeat", in: .keepalive, .status, .vendor),
    row("response.apply_patch_call_operation_diff.delta", in: .applyPatchCallOperationDiff, .delta, .vendor, delta: "delta", final: "diff", "sequence_number:integer!, item_id:string!, output_index:integer!, delta:string!, obfuscation:string"),
    row("response.apply_patch_call_operation_diff.done", in: .applyPatchCallOperationDiff, .done, .vendor, final: "diff", "sequence_number:integer!, item_id:string!, output_index:integer!, diff:string!"),
    row("codex.rate_limits", in: .metadata, .status, .vendor, "plan_type:string, rate_limits:{primary:{used_percent;window_minutes;reset_at};secondary:{...}}"),
    row("response.reasoning_part.added", in: .reasoningText, .start, .vendor, final: "part", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, part:{type;text}!"),
    row("response.reasoning_part.done", in: .reasoningText, .done, .vendor, final: "part", "sequence_number:integer, item_id:string!, output_index:integer!, content_index:integer!, part:{type;text}!"),
    row("response.x_search_call.in_progress", "response.x_search_call.searching", "response.x_search_call.completed", in: .xSearchCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.code_execution_call.in_progress", "response.code_execution_call.executing", "response.code_execution_call.completed", in: .codeExecutionCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.code_interpreter_call.executing", in: .codeInterpreterCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.mcp_call.executing", in: .mcpCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.mcp_call_output.delta", in: .mcpCall, .delta, .vendor, delta: "delta", final: "output", "sequence_number:integer, item_id:string!, output_index:integer!, delta:string!"),
    row("response.mcp_call_output.done", in: .mcpCall, .done, .vendor, final: "output", "sequence_number:integer, item_id:string!, output_index:integer!, output:string"),
    row("response.fusion_call.in_progress", in: .fusionCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.fusion_call.panel.added", in: .fusionCall, .start, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.fusion_call.panel.delta", "response.fusion_call.panel.reasoning.delta", in: .fusionCall, .delta, .vendor, delta: "delta", "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("response.fusion_call.panel.completed", "response.fusion_call.panel.failed", "response.fusion_call.analysis.in_progress", "response.fusion_call.analysis.completed", "response.fusion_call.completed", in: .fusionCall, .status, .vendor, "sequence_number:integer, item_id:string!, output_index:integer!"),
    row("oresp.end", in: .ownEnd, .status, .vendor, "exit:integer!, status:string!, reason:string|null!, response_id:string|null!, message:string!"),
    row("response.debug", in: .metadata, .status, .vendor, "sequence_number:integer"),
    row("response.rate_limits.updated", in: .metadata, .status, .vendor, "sequence_number:integer, rate_limits:[object]"),
    row("response.metadata", "codex.response.metadata", in: .metadata, .status, .vendor, "sequence_number:integer, response_id:string, headers:object, metadata:object"),
    row("responsesapi.websocket_timing", in: .metadata, .status, .vendor, "timing:object"),
  ]
}

/// The subject of an event type. Old names and other servers' names are in the family of the
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
  case transcription, speech, image
  /// The toolkit's own `oresp.end`.
  case ownEnd = "oresp"

  /// Whether its events form a stream of another endpoint: no response stands around them, and the
  /// `.done` event is the end.
  package var standsAlone: Bool {
    switch self {
    case .transcription, .speech, .image: true
    default: false
    }
  }
}

/// The effect of an event: it opens something, reports its state, adds to it, ends it, or ends the
/// response.
package enum EventPhase: String, Sendable {
  case start, status, delta, done, annotation, terminal
}

/// The origin of an event type: the neutral standard (Open Responses), OpenAI, an older OpenAI, a
/// relay's other name for a type, or one server of its own.
package enum EventStanding: String, Sendable {
  case standard, openai, legacy, alias, vendor
}
