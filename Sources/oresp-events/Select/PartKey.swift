import Core

/// The place of a value in its item.
struct PartKey: Hashable {
  /// The list that it stands in, such as `action.commands`; empty where it stands in none.
  let list: String
  /// Its index in the list; the number of its name where it stands in none.
  var index: Int

  init(_ value: ItemValue, _ index: Int) {
    list = value.listName
    self.index = list.isEmpty ? Int(value.name.rawValue) : index
  }

  /// The place where its list begins; itself where it stands in none.
  var first: PartKey {
    var first = self
    if !list.isEmpty { first.index = 0 }
    return first
  }

  /// The place in words: `content[0]`, `arguments`.
  var name: String {
    guard let name = list.split(separator: ".").last else {
      return TextName(rawValue: UInt8(clamping: index)).map { String(describing: $0) } ?? ""
    }
    return "\(name)[\(index)]"
  }
}
