/// Values by their keys. Those that were not used for long are forgotten: at most twice `most` are
/// kept.
struct RecentValues<Value> {
  private let most: Int
  private var recent: [UInt64: Value] = [:]
  private var former: [UInt64: Value] = [:]

  init(most: Int) { self.most = most }

  subscript(key: UInt64) -> Value? {
    mutating get {
      if let value = recent[key] { return value }
      guard let value = former[key] else { return nil }
      self[key] = value
      return value
    }
    set {
      if recent.count >= most, recent[key] == nil {
        swap(&former, &recent)
        recent.removeAll(keepingCapacity: true)
      }
      recent[key] = newValue
    }
  }
}
