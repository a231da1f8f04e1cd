extension Substring {
  /// What stands before and behind `mark`, where it stands first; `nil` when it does not.
  func cut(at mark: String) -> (before: Substring, after: Substring)? {
    let start = utf8.indices.first { utf8[$0...].starts(with: mark.utf8) }
    guard let start else { return nil }
    return (self[..<start], self[utf8.index(start, offsetBy: mark.utf8.count)...])
  }
}
