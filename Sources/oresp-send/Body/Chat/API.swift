import Core

/// The API that an answer is asked for.
enum API: String, CaseIterable, Sendable {
  case responses, chat
}
