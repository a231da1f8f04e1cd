import Foundation

/// A port on 127.0.0.1 that is taken and refuses every connection, as long as this value is there.
package final class RefusingPort {
  package let number: Int
  private let descriptor: Int32

  package init() throws { (descriptor, number) = try Socket.bindLoopback() }

  deinit { close(descriptor) }
}
