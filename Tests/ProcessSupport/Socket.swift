import Foundation

/// The calls that a server makes.
enum Socket {
  /// A socket at a port of 127.0.0.1 that the system chooses, and the port.
  static func bindLoopback() throws -> (Int32, Int) {
    SystemCall.descriptors.lock()
    defer { SystemCall.descriptors.unlock() }
    #if canImport(Glibc)
      let kind = Int32(SOCK_STREAM.rawValue)
    #else
      let kind = SOCK_STREAM
    #endif
    let descriptor = socket(AF_INET, kind, 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
    SystemCall.keepFromChildren(descriptor)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let failed = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, size) != 0 || getsockname(descriptor, $0, &size) != 0
      }
    }
    guard !failed else { throw SystemError("bind") }
    return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
  }

  /// Has `connection` be reset when it is closed.
  static func resetAtClose(_ connection: Int32) {
    var time = linger(l_onoff: 1, l_linger: 0)
    setsockopt(
      connection, SOL_SOCKET, SO_LINGER, &time, socklen_t(MemoryLayout<linger>.size))
  }

  /// The next connection; `nil` when none came within `milliseconds`.
  static func accept(from listener: Int32, milliseconds: Int32) -> Int32? {
    var state = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&state, 1, milliseconds) > 0 else { return nil }
    SystemCall.descriptors.lock()
    defer { SystemCall.descriptors.unlock() }
    let connection = Foundation.accept(listener, nil, nil)
    guard connection >= 0 else { return nil }
    SystemCall.keepFromChildren(connection)
    var on: Int32 = 1
    setsockopt(
      connection, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    return connection
  }
}
