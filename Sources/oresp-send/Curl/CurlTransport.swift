import CLibcurl
import Core

/// Carries requests by the system's libcurl.
struct CurlTransport: Transport {
  let settings: TransportSettings
  /// Who is shown each transfer.
  let watchers: [any TransferWatcher]
  /// Whether they are shown also what libcurl says and sends.
  let showsWork: Bool

  func send(
    _ request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> TransportFault? {
    let pool = try CurlPool(self)
    try pool.begin(request, to: receiver, number: 0)
    while true {
      if let ended = try pool.goOn(.max, orUntilReadable: nil).first { return ended.fault }
    }
  }

  /// What a request comes to before it is sent.
  enum Start {
    case ready(CurlTransfer)
    /// It is not sent.
    case fault(TransportFault)
  }

  /// Sets a transfer of `request` up, unless the time for it is over.
  func transfer(
    of request: HTTPRequest, to receiver: any ReplyReceiver
  ) throws(Failure) -> Start {
    let rest = request.deadline.map { $0 - Clock.steadyMilliseconds() }
    if let rest, rest <= 0 {
      return .fault(.overTime(settings.totalMilliseconds))
    }
    return .ready(try CurlTransfer(request, to: receiver, by: self, within: rest ?? 0))
  }

  /// How the transport names itself to servers.
  static let userAgent = "oresp/\(CommandPage.version)"
}
