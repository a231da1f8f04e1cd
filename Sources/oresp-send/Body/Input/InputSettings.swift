/// What the options say of the input of a request.
struct InputSettings {
  var attachments: [Attachment] = []
  var items: [ItemSource] = []
  /// The response that the request continues: its id, or `@` and the file that has it.
  var previous: String?
}
