/// What happens to events on their way through, beside their selection.
package struct RelaySettings: Sendable {
  /// The form that `--status` was given; empty when none was, `nil` without `--status`.
  package var status: String?
  package var statusFile: String?
  package var speed: Double?
  /// The order that `--merge` was given; empty when none was, `nil` without `--merge`.
  package var merge: String?

  package init() {}

  /// The option that needs the events themselves to come out; `nil` when there is none.
  var option: String? {
    if merge != nil { return "--merge" }
    if speed != nil { return "--pace" }
    return status == nil ? nil : "--status"
  }
}
