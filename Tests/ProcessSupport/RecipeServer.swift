import Foundation

/// A server that is asked for what its table has, and for nothing else: a request that is not as
/// the table wants it is refused with what was expected.
package final class RecipeServer: Sendable {
  /// What is expected at an endpoint, and answered.
  package struct Row: Sendable {
    let request: String
    let body: Body
    let answers: [Answer]

    /// `request` is the method and what stands behind `/v1`. The first answer is for the first such
    /// request, and so on; the last is given again and again.
    package init(_ request: String, _ body: Body = .none, _ answers: Answer...) {
      (self.request, self.body, self.answers) = (request, body, answers)
    }

    package init(_ request: String, _ body: Body = .none, _ answers: String...) {
      (self.request, self.body, self.answers) = (request, body, answers.map { .body($0) })
    }
  }

  package enum Body: Sendable {
    case none
    /// An object with the same members in any order.
    case json(String)
    /// Fields as `NAME=TEXT`, or `NAME@FILE:TYPE=TEXT` for a file.
    case form([String])
  }

  private let server: LoopbackServer
  private let rows: [Row]
  private let key: String

  package init(key: String, _ rows: [Row]) throws {
    let asked = Shared<[Int]>(rows.map { _ in 0 })
    (self.rows, self.key) = (rows, key)
    server = try LoopbackServer { request in
      let faults = rows.map { Self.fault(of: request, $0, key) }
      guard let index = faults.firstIndex(of: nil) else {
        let near = zip(rows, faults).first { row, _ in Self.line(request) == row.request }
        return .body("expected \(near?.1 ?? "none such"), got \(Self.line(request))", status: 400)
      }
      let number = asked.update { counts in
        counts[index] += 1
        return counts[index] - 1
      }
      return rows[index].answers[min(number, rows[index].answers.count - 1)]
    }
  }

  package var baseURL: String { server.baseURL }

  /// The requests that came, as rows have them.
  package var asked: [String] { server.requests.map(Self.line) }

  /// Whether every row was asked for, and nothing else.
  package var isAskedInFull: Bool {
    rows.allSatisfy { asked.contains($0.request) }
      && server.requests.allSatisfy { request in
        rows.contains { Self.fault(of: request, $0, key) == nil }
      }
  }

  private static func line(_ request: LoopbackServer.Request) -> String {
    "\(request.method) \(request.target.dropFirst("/v1".count))"
  }

  /// What `row` wants and `request` has not; `nil` when it is as `row` wants it.
  private static func fault(of request: LoopbackServer.Request, _ row: Row, _ key: String)
    -> String?
  {
    guard line(request) == row.request else { return row.request }
    guard request["Authorization"] == "Bearer " + key else { return "the key" }
    switch row.body {
    case .none: return request.body.isEmpty ? nil : "no body"
    case .json(let text):
      let wanted = try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary
      let isJSON = request["Content-Type"] == "application/json"
      return isJSON && wanted == NSDictionary(dictionary: request.json) ? nil : text
    case .form(let fields):
      let came = request.form.map { field in
        let file = field.fileName.map { "@\($0):\(field.type ?? "")" } ?? ""
        return "\(field.name)\(file)=\(field.text)"
      }
      return came == fields ? nil : "\(fields)"
    }
  }
}
