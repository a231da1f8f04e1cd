package import Core

/// A JSON Schema, ready to validate with: what structured outputs allow but patterns and formats,
/// and a little more.
///
/// The keywords: `type`, `enum`, `const`, `properties`, `required`, `additionalProperties`,
/// `items`, `prefixItems`, `minItems`, `maxItems`, `uniqueItems`, `anyOf`, `oneOf`, `allOf`,
/// `not`, `$ref`, `$defs`, `definitions`, `minimum`, `maximum`, `exclusiveMinimum`,
/// `exclusiveMaximum`, `multipleOf`, `minLength`, `maxLength`, and the annotations (JSON Schema
/// 2020-12, Core sections 8 to 10 and Validation sections 6 and 9).
package struct JSONSchema: Sendable {
  /// All schemas in it; the first is the whole.
  let nodes: [SchemaNode]
  /// Its keywords that are not checked, each once.
  let unchecked: [String]

  /// Reads the schema in `file`, in one of the forms of `SchemaDocument`. The failure for a part
  /// that is wrong or not supported has the JSON Pointer of the part.
  package init(_ file: FileText) throws(Failure) {
    try file.checkJSON()
    let document = SchemaDocument(file.bytes.span)
    guard let document else { throw file.fault("there is no schema in it") }
    do throws(SchemaFault) {
      var compiler = SchemaCompiler(document.schema)
      nodes = try compiler.compile()
      unchecked = compiler.unchecked.sorted()
    } catch {
      throw file.fault(error.message(of: "the schema"))
    }
  }

  /// The fault that keeps `value`, which must be JSON, from being valid; `nil` when it is. If `way`
  /// leads to it in the value that the schema describes, nothing beside that way is looked at.
  package func fault(in value: Span<UInt8>, behind way: [SchemaStep] = []) -> SchemaFault? {
    var check = SchemaCheck(nodes, value, behind: way)
    return check.fault()
  }
}

/// The reason why a value does not meet a schema, or a schema not the rules for schemas.
package struct SchemaFault: Error, Equatable, Sendable {
  /// The JSON Pointer (RFC 6901) to the part at fault; empty for the whole.
  package let pointer: String
  /// The reason, in words.
  package let reason: String

  init(_ pointer: String, _ reason: String) {
    self.pointer = pointer
    self.reason = reason
  }

  /// The same fault, by its pointer from the object or array that `step` leads on from.
  func behind(_ step: [UInt8]) -> SchemaFault {
    SchemaFault(JSONPointer.step(step) + pointer, reason)
  }

  /// The pointer, or `whole` for the empty one, and the reason in one line.
  package func message(of whole: String = "the whole value") -> String {
    "\(pointer.isEmpty ? whole : pointer): \(reason)"
  }
}
