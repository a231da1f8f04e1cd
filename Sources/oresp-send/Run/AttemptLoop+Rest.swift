import Core

extension AttemptLoop {
  /// Sends `request`, and goes on asking while its response goes on behind its reply: for the rest of
  /// a stream that was cut, and for the response itself, every `poll` milliseconds, where no events
  /// are offered or wanted. `requests` makes what is asked.
  ///
  /// As often as `policy` says it tries in vain; what brings an event begins the count anew.
  func follow(
    _ request: HTTPRequest, to delivery: Delivery, every poll: Int, _ requests: ResponseRequests
  ) throws(Failure) -> TransportFault? {
    let start = world.steadyMilliseconds()
    var (tries, last) = (0, Int?.none)
    var fault = try send(request, to: delivery)
    while let rest = try delivery.rest(fault) {
      switch rest.reason {
      case .unoffered, .page: break
      case .running(let asked), .unready(_, let asked):
        let left = request.deadline.map { max(0, $0 - world.steadyMilliseconds()) } ?? .max
        try wait(min(asked ?? poll, left), delivery)
      case .cut:
        tries = rest.last == last ? tries + 1 : 1
        last = rest.last
        let decision = policy.decision(
          on: .broken(fault ?? .cut), attempt: tries,
          elapsed: world.steadyMilliseconds() - start, now: world.epochSeconds())
        guard case .again(let delay) = decision else { return fault }
        let wait = world.random(delay)
        tell(Attempts.notice(rest.text, tries, wait, rest.facts))
        try self.wait(wait, delivery)
      }
      delivery.goOn(with: rest)
      var next = request
      switch rest.reason {
      case .page(let item):
        next.url = try Endpoint(base: request.url, path: "", query: [item]).url
      case .unready(let id, _):
        if request.method == "POST" { next = try requests.made(id, by: request) }
      default: next = try requests.rest(rest)
      }
      next.deadline = request.deadline
      fault = try send(next, to: delivery)
    }
    return fault
  }
}
