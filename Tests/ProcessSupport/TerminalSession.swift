import Foundation

/// A shell command on a terminal of its own, and what stands on the screen: what a person sees.
package final class TerminalSession {
  private let terminal: Int32
  private let processID: Int32
  private let screen: Shared<Screen>
  private let end = Shared<Int32?>(nil)

  /// Starts `bash` with `arguments` on a terminal of so many columns.
  package init(
    _ arguments: [String], columns: Int, environment: [String: String] = [:]
  ) throws {
    guard let path = Tools.path(of: "bash") else { throw SystemError("bash", ENOENT) }
    let ends = try SystemCall.cookedTerminal()
    terminal = ends.reading
    screen = Shared(Screen(columns: columns))
    Self.resize(terminal, columns)
    processID = try Spawn.start(
      path, ["bash"] + arguments,
      environment: Tools.environment.merging(["TERM": "xterm"]) { $1 }.merging(environment) { $1 },
      onTerminal: ends.name)
    close(ends.writing)
    let (reading, screen, processID, end) = (terminal, screen, processID, end)
    Thread.detachNewThread {
      while true {
        let bytes = SystemCall.read(reading)
        if bytes.isEmpty { break }
        screen.update { $0.show(bytes) }
      }
      var status: Int32 = 0
      while waitpid(processID, &status, 0) < 0, errno == EINTR {}
      end.update { [status] in $0 = status }
    }
  }

  deinit {
    if end.value == nil { kill(-processID, SIGKILL) }
    close(terminal)
  }

  /// Types `text`, control characters too.
  package func type(_ text: String) { _ = SystemCall.write(Array(text.utf8), to: terminal) }

  package func resize(columns: Int) {
    screen.update { $0.columns = columns }
    Self.resize(terminal, columns)
  }

  /// Waits until the screen is as `isReady` wants it; gives its lines either way.
  @discardableResult
  package func lines(until isReady: ([String]) -> Bool) -> [String] {
    _ = screen.wait { isReady($0.lines) }
    return screen.value.lines
  }

  /// Waits for the end; the lines of the screen and the exit status.
  package func finish() -> (lines: [String], outcome: Finished.Outcome) {
    let isOver = end.wait { $0 != nil }
    if !isOver { kill(-processID, SIGKILL) }
    return (screen.value.lines, isOver ? Finished.Outcome(waitStatus: end.value ?? 0) : .hung)
  }

  private static func resize(_ terminal: Int32, _ columns: Int) {
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(terminal, UInt(TIOCSWINSZ), &size)
  }
}

/// What a simple terminal makes of the bytes that it is sent. Lines do not scroll away.
package struct Screen: Sendable {
  package var columns: Int
  /// What stands in each place of each line; a wide character leaves the place behind it empty.
  private var cells: [[String]] = [[]]
  private var column = 0
  private var rest: [UInt8] = []

  package init(columns: Int) { self.columns = columns }

  package var lines: [String] {
    cells.map { line in
      let text = line.joined()
      return String(
        text.prefix(upTo: (text.lastIndex { $0 != " " }).map(text.index(after:)) ?? text.startIndex)
      )
    }
  }

  package mutating func show(_ bytes: [UInt8]) {
    rest += bytes
    while let length = nextLength() {
      let token = String(decoding: rest.prefix(length), as: UTF8.self)
      rest.removeFirst(length)
      show(token)
    }
  }

  /// The length of the character or sequence at the front; `nil` when it is not whole.
  private func nextLength() -> Int? {
    guard let first = rest.first else { return nil }
    if first == 0x1B {
      guard rest.count > 1 else { return nil }
      guard rest[1] == UInt8(ascii: "[") else { return 2 }
      return rest.dropFirst(2).firstIndex { 0x40...0x7E ~= $0 }.map { $0 + 1 }
    }
    let length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4
    return rest.count < length ? nil : length
  }

  private mutating func show(_ token: String) {
    switch token {
    case "\r": column = 0
    case "\n": cells.append([])
    case "\u{1B}[K": cells[cells.count - 1] = Array(cells[cells.count - 1].prefix(column))
    case _ where token.hasPrefix("\u{1B}") || token < " ": break
    default: put(token)
    }
  }

  private mutating func put(_ character: String) {
    let scalar = character.unicodeScalars.first ?? " "
    let isWide =
      scalar.properties.isEmojiPresentation
      || 0x1100...0xFFDC ~= scalar.value
        && ![
          .mathSymbol, .finalPunctuation, .initialPunctuation, .otherPunctuation, .dashPunctuation,
        ]
        .contains(scalar.properties.generalCategory)
    let width = isWide ? 2 : 1
    if column + width > columns {
      cells.append([])
      column = 0
    }
    var line = cells[cells.count - 1]
    while line.count < column + width { line.append(" ") }
    line[column] = character
    if isWide { line[column + 1] = "" }
    cells[cells.count - 1] = line
    column += width
  }
}
