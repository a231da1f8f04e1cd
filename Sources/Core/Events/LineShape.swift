/// What an object without a usable `type` may be, told from its top-level members.
package enum LineShape {
  /// It has a `type` after all, which is no string.
  case typed
  /// It takes its type from the name of its block.
  case named
  /// A whole Response object.
  case response
  /// An error body: `error` nested or plain, or FastAPI's `detail`.
  case error
  /// None of these.
  case untyped
  /// It is no JSON.
  case broken

  /// Whether `value`, white space aside, opens and closes as an object.
  package static func isObject(_ value: Span<UInt8>) -> Bool {
    let inner = value.extracting(value.trimmed())
    return inner.count >= 2 && inner[0] == ASCII.openBrace
      && inner[inner.count - 1] == ASCII.closeBrace
  }

  /// Tells what `line` is, which came in a block of the name `blockName`, if it is not empty.
  init(_ line: Span<UInt8>, blockName: Span<UInt8>) {
    var members = JSONChildren()
    var (isTyped, isResponse, hasOutput, hasState, hasError) = (false, false, false, false, false)
    while let member = members.next(in: line) {
      let name = line.extracting(member.name)
      let value = line.extracting(member.value)
      if JSONChildren.isName(name, "type") {
        isTyped = true
      } else if JSONChildren.isName(name, "object") {
        isResponse = isResponse || value.equals("\"response\"")
      } else if JSONChildren.isName(name, "output") {
        hasOutput = value[0] == ASCII.openBracket
      } else if JSONChildren.isName(name, "status") || JSONChildren.isName(name, "id") {
        hasState = true
      } else if JSONChildren.isName(name, "error") {
        hasError = hasError || value[0] == ASCII.openBrace || value[0] == ASCII.quote
      } else if JSONChildren.isName(name, "detail") {
        hasError = true
      }
    }
    if members.isBroken {
      self = .broken
    } else if isTyped {
      self = .typed
    } else if isResponse || hasOutput && hasState {
      self = .response
    } else if hasError {
      self = .error
    } else {
      self = blockName.isEmpty || blockName.equals("message") ? .untyped : .named
    }
  }
}
