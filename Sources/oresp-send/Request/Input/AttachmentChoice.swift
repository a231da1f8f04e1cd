/// What the command line says of one file, or of a list of files, that is to be sent along.
package struct AttachmentChoice {
  package enum Source {
    case named(String)
    /// A file of names with a NUL behind each.
    case list(path: String)
  }

  package let source: Source
  /// As what it is to be sent, if anything before it says so.
  let kind: Attachment.Kind?
  /// How closely the model is to look, if anything before it says so.
  let detail: String?
}

/// The value of an option that is for the files named behind it. Behind all of them it is for those
/// that had none.
struct Following<Value: Sendable>: Sendable {
  private var value: Value?
  private var isTaken = true

  mutating func set(_ value: Value) { (self.value, isTaken) = (value, false) }

  /// The value for a file that is named now.
  mutating func take() -> Value? {
    isTaken = true
    return value
  }

  /// The value that no file was named behind.
  var rest: Value? { isTaken ? nil : value }
}
