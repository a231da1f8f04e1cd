/// How timelines are drawn.
package struct TimelineSettings: Sendable {
  package enum Form: String, CaseIterable, Sendable {
    case text, ascii, svg
  }

  package enum Colours: String, CaseIterable, Sendable {
    case auto, always, never
  }

  package var form = Form.text
  package var colours = Colours.auto

  package init() {}
}
