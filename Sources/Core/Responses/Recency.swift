/// Slots in the order in which they were heard of last. A slot stands in one list at a time; a move
/// takes the same time for any number of slots.
struct Recency: Sendable {
  /// The first and the last slot of a list; -1 when it is empty.
  struct List: Sendable {
    fileprivate(set) var (first, last) = (-1, -1)
    fileprivate(set) var count = 0
  }

  private var links: [(before: Int, behind: Int)] = []

  func before(_ slot: Int) -> Int { links[slot].before }

  mutating func append(_ slot: Int, to list: inout List) {
    while links.count <= slot { links.append((-1, -1)) }
    links[slot] = (list.last, -1)
    if list.last >= 0 { links[list.last].behind = slot } else { list.first = slot }
    (list.last, list.count) = (slot, list.count + 1)
  }

  mutating func remove(_ slot: Int, from list: inout List) {
    let (before, behind) = links[slot]
    if before >= 0 { links[before].behind = behind } else { list.first = behind }
    if behind >= 0 { links[behind].before = before } else { list.last = before }
    list.count -= 1
  }

  @inline(__always)
  mutating func moveToEnd(_ slot: Int, of list: inout List) {
    guard list.last != slot else { return }
    remove(slot, from: &list)
    append(slot, to: &list)
  }
}
