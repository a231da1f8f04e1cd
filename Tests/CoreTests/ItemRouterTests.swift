import Testing

@testable import Core

/// Which item each of `lines` is about: its number, and `!` where it was new.
private func route(_ lines: [String]) -> (told: String, router: ItemRouter) {
  var router = ItemRouter()
  var told: [String] = []
  for line in lines {
    let bytes = Array(line.utf8)
    let event = Event(of: bytes.span)
    guard let type = event.type else { continue }
    let count = router.items.count
    let index = event.integer(of: "output_index", in: bytes.span)
    guard let number = router.item(of: type, event, bytes.span, at: index) else { continue }
    told.append("\(number)\(router.items.count > count ? "!" : "")")
  }
  return (told.joined(separator: " "), router)
}

private func added(_ index: Int?, _ item: String) -> String {
  event("output_item.added", index, item)
}
private func done(_ index: Int?, _ item: String) -> String {
  event("output_item.done", index, item)
}

private func event(_ name: String, _ index: Int?, _ item: String) -> String {
  let place = index.map { #""output_index":\#($0),"# } ?? ""
  return #"{"type":"response.\#(name)",\#(place)"item":{\#(item)}}"#
}

private func text(_ index: Int?, _ id: String?, _ name: String = "output_text.delta") -> String {
  let place = index.map { #""output_index":\#($0),"# } ?? ""
  let item = id.map { #""item_id":"\#($0)","# } ?? ""
  return #"{"type":"response.\#(name)",\#(place)\#(item)"delta":"a"}"#
}

private let m1 = #""type":"message","id":"m1""#
private let m2 = #""type":"message","id":"m2""#
private let call = #""type":"function_call","id":"f","call_id":"c1""#
private let twin = #""type":"function_call","id":"f","call_id":"c2""#

@Suite struct ItemRouterTests {
  @Test(
    arguments: [
      // By the index, whatever the ids.
      ([added(0, m1), text(0, "x"), text(0, "y"), done(0, m2)], "0! 0 0 0"),
      ([added(1, m1), added(0, m2), text(1, nil), text(0, nil), done(0, m2)], "0! 1! 0 1 1"),
      ([text(3, nil), text(3, nil), text(0, nil)], "0! 0 1!"),
      // Without one, by the id, which is one in items and beside them; escapes count for what they
      // stand for.
      (
        [
          added(nil, m1), added(nil, m2), text(nil, "m1"), text(nil, "m2"), done(nil, m1),
          done(nil, m2),
        ],
        "0! 1! 0 1 0 1"
      ),
      ([added(nil, m1), text(nil, "\\u006d1"), done(nil, #""id":"m\u0031""#)], "0! 0 0"),
      ([text(nil, "m1"), text(nil, "m2"), text(nil, "m1"), done(nil, m2)], "0! 1! 0 1"),
      // An id tells the item until an index does.
      ([added(nil, m1), text(0, "m1"), text(0, nil), done(0, m1)], "0! 0 0 0"),
      ([added(0, m1), text(nil, "m1"), done(nil, m1)], "0! 0 0"),
      // Without both, the last of its kind that is open.
      (
        [
          added(nil, m1), added(nil, call), text(nil, nil),
          text(nil, nil, "function_call_arguments.delta"),
          done(nil, m1), text(nil, nil),
        ], "0! 1! 0 1 0 2!"
      ),
      (
        [added(nil, #""type":"message""#), text(nil, "x"), text(nil, "x"), done(nil, m1)],
        "0! 0 0 1!"
      ),
      ([added(nil, #""type":"message""#), done(nil, #""type":"message""#)], "0! 0"),
      // One item under two indexes, and two under one.
      ([added(0, m1), done(0, m1), added(2, m1), text(2, "m1"), done(2, m1)], "0! 0 0 0 0"),
      ([added(1, call), done(1, call), added(1, m1), text(1, "m1"), done(1, m1)], "0! 0 1! 1 1"),
      (
        [
          added(0, m1), done(0, m1), added(2, call), done(2, call), added(2, m1), text(2, "m1"),
          done(2, m1),
        ], "0! 0 1! 1 0 0 0"
      ),
      (
        [added(0, m1), added(0, m2), text(0, "m1"), text(0, "m2"), done(0, m1), done(0, m2)],
        "0! 1! 0 1 0 1"
      ),
      // So the item of the event before tells nothing behind another's opening.
      (
        [added(0, m1), text(0, "m1"), added(0, m2), text(0, "m2"), text(0, "m1")],
        "0! 0 1! 1 0"
      ),
      (
        [added(1, call), text(1, "f"), done(1, call), added(1, m1), text(1, "m1")],
        "0! 0 0 1! 1"
      ),
      // The same without the openings.
      (
        [done(0, m1), done(2, call), text(2, "m1"), done(2, m1), text(2, "m1")],
        "0! 1! 0 0 0"
      ),
      // An item of another type goes on under the index of one that has ended.
      (
        [done(0, call), text(0, "x"), text(0, "x"), done(0, #""type":"message","id":"x""#)],
        "0! 1! 1 1"
      ),
      // Parallel calls of one id.
      (
        [added(0, call), added(1, twin), text(0, "f"), text(1, "f"), done(0, call), done(1, twin)],
        "0! 1! 0 1 0 1"
      ),
      ([added(nil, call), added(nil, twin), done(nil, call), done(nil, twin)], "0! 1! 0 1"),
      ([done(0, m1), done(0, m1)], "0! 0"), ([done(0, m1), done(0, m2)], "0! 1!"),
      // A text of its own, though an item with its id has ended elsewhere.
      ([done(0, m1), text(1, "m1")], "0! 1!"),
    ] as [([String], String)])
  func `an event is about the item that its index, its id or its kind tells`(
    lines: [String], expected: String
  ) {
    #expect(route(lines).told == expected)
  }

  @Test(
    arguments: [
      ([added(0, m1), added(1, call), added(2, twin)], [call, m1, twin], [1, 0, 2]),
      // Another id: by the place; another place too: by the order of its type.
      ([added(0, m1), added(1, m2)], [#""type":"message","id":"x""#, m2], [0, 1]),
      (
        [added(1, call), added(2, m1)], [#""type":"message""#, #""type":"function_call""#], [1, 0]
      ),
      ([text(nil, nil)], [m1, m2], [0, nil]), ([added(0, m1)], [m1, m1], [0, nil]),
      ([added(1, m1)], [m1, m1], [nil, 0]),
      ([added(0, m1)], [call], [nil]), ([added(0, m1)], [], []),
    ] as [([String], [String], [Int?])])
  func `the items of the whole output are those that were streamed`(
    lines: [String], output: [String], expected: [Int?]
  ) {
    let line = Array("[\(output.map { "{\($0)}" }.joined(separator: ","))]".utf8)
    let places = JSONChildren.elements(at: line.indices, in: line.span)
    #expect(route(lines).router.matches(of: places, in: line.span) == expected)
  }

  @Test func `items stand in the order of their indexes, others behind those before them`() {
    let router = route([added(2, m1), added(0, m2), added(nil, call), added(1, twin)]).router
    #expect(router.inOrder == [1, 3, 0, 2])
  }

  @Test func `the highest index does not overflow`() {
    #expect(route([text(.max, nil), text(nil, nil), added(nil, m2)]).told == "0! 0 1!")
  }
}
