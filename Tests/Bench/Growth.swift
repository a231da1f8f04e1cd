/// Rows on inputs that have much of one thing: with four times as much of it, the CPU time must be no
/// more than five times as long.
struct Growth {
  /// An input of a tool that can be made larger.
  struct Shape {
    let name: String
    let tool: String
    let arguments: [String]
    /// How much of the thing the smaller input has.
    let count: Int
    let lines: (Int) -> [String]

    init(
      _ name: String, _ command: String, _ count: Int, _ lines: @escaping (Int) -> [String]
    ) {
      let words = command.split(separator: " ").map(String.init)
      (self.name, self.count, self.lines) = (name, count, lines)
      (tool, arguments) = (words[0], Array(words.dropFirst()))
    }
  }

  let runs: Int

  func measure(into table: inout Table) throws {
    let folder = try TemporaryFolder()
    for shape in Self.shapes {
      var times: [Double] = []
      var peak = 0
      for count in [shape.count, 4 * shape.count] {
        let text = shape.lines(count).map { $0 + "\n" }.joined()
        let path = try folder.file("input", text)
        var candidate = Candidate(shape.tool, input: path)
        candidate.arguments = shape.arguments
        let costs = try (0..<runs).map { _ in try Measure.run(candidate) }
        times.append(Measure.median(costs.map(\.cpuSeconds)))
        peak = costs.map(\.peakBytes).max() ?? 0
      }
      let ratio = times[1] / max(times[0], 0.001)
      let command = ([shape.tool] + shape.arguments).joined(separator: " ")
      table.add(
        "`\(command)`, \(shape.name)", against: "a quarter of it",
        "\(ratio.short) × its CPU time (\(times[1].short) s, \(peak >> 20) MiB)",
        budget: "5 × at most",
        isMet: ratio <= 5)
    }
  }

  private static let shapes =
    growing + ["oresp-text", "oresp-events -R", "oresp-events --check"].flatMap(large)

  /// As much as is promised, through `command`.
  private static func large(_ command: String) -> [Shape] {
    [
      Shape("a million deltas", command, 250_000) { count in
        response(added(0) + (1...count).map { delta(0, #","sequence_number":\#($0)"#) })
      },
      Shape("a hundred thousand items", command, 25_000) { count in
        response((0..<count).flatMap { added($0) + done($0) })
      },
      Shape("ten thousand responses open at once", command, 2_500) { count in
        ["created", "completed"].flatMap { kind in
          (0..<count).map { number in
            #"{"type":"response.\#(kind)","response":{"id":"r\#(number)","output":[]},"#
              + #""oresp":{"request":"\#(number)"}}"#
          }
        }
      },
    ]
  }

  private static let growing: [Shape] = [
    Shape("items in falling order", "oresp-events --items", 20_000) { count in
      response((0..<count).reversed().flatMap { added($0) + done($0) })
    },
    Shape("many items open", "oresp-text", 20_000) { count in
      response((0..<count).flatMap(added) + (0..<count).flatMap(done))
    },
    Shape("many items open", "oresp-events -R", 20_000) { count in
      response((0..<count).flatMap(added) + (0..<count).flatMap(done))
    },
    Shape("many items open", "oresp-events --check=strict", 20_000) { count in
      response((0..<count).flatMap(added) + (0..<count).flatMap(done))
    },
    Shape("many parts", "oresp-text", 20_000) { response(added(0) + parts($0)) },
    Shape("many parts", "oresp-events --check=strict", 20_000) { response(added(0) + parts($0)) },
    Shape("many parts of a summary", "oresp-text --reasoning", 20_000) { count in
      response(
        (0..<count).map { part in
          #"{"type":"response.reasoning_summary_text.done","output_index":0,"item_id":"rs_0","#
            + #""summary_index":\#(part),"text":"x"}"#
        })
    },
    Shape("citations ahead of their text", "oresp-text -c footnotes", 20_000) { count in
      response(
        (0..<count).map { place in
          #"{"type":"response.output_text.annotation.added","output_index":0,"item_id":"msg_0","#
            + #""content_index":0,"annotation_index":\#(place),"annotation":\#(citation(place))}"#
        } + (0..<count).map { _ in delta(0) })
    },
    Shape("citations of one text", "oresp-events --citations", 10_000) { count in
      let list = (0..<count).map(citation).joined(separator: ",")
      let text = String(repeating: "x", count: count)
      let part = #"{"type":"output_text","text":"\#(text)","annotations":[\#(list)]}"#
      return response(done(0, part))
    },
    Shape("numbers in falling order", "oresp-events --check=strict", 50_000) { count in
      response((1...count).reversed().map { delta(0, #","sequence_number":\#($0)"#) })
    },
    Shape("responses open at once", "oresp-events --stats", 20_000) { count in
      (0..<count).map { #"{"type":"response.created","response":{"id":"r\#($0)"}}"# }
        + (0..<count).map { #"{"type":"response.completed","response":{"id":"r\#($0)"}}"# }
    },
    Shape("CRs in one text", "oresp-sse -r --envelope", 500_000) { count in
      [#"{"event":"message","data":""# + String(repeating: #"\r"#, count: count) + #""}"#]
    },
  ]

  private static func response(_ events: [String]) -> [String] {
    [#"{"type":"response.created","response":{"id":"r","status":"in_progress","output":[]}}"#]
      + events
      + [#"{"type":"response.completed","response":{"id":"r","status":"completed","output":[]}}"#]
  }

  private static func item(_ index: Int, _ content: String) -> String {
    #""output_index":\#(index),"item":{"id":"msg_\#(index)","type":"message","role":"assistant","#
      + #""status":"completed","content":[\#(content)]}}"#
  }

  private static func added(_ index: Int) -> [String] {
    [#"{"type":"response.output_item.added",\#(item(index, ""))"#]
  }

  private static func done(_ index: Int) -> [String] {
    done(index, #"{"type":"output_text","text":"x","annotations":[]}"#)
  }

  private static func done(_ index: Int, _ content: String) -> [String] {
    [#"{"type":"response.output_item.done",\#(item(index, content))"#]
  }

  private static func delta(_ part: Int, _ members: String = "") -> String {
    #"{"type":"response.output_text.delta","output_index":0,"item_id":"msg_0","#
      + #""content_index":\#(part),"delta":"x"\#(members)}"#
  }

  private static func parts(_ count: Int) -> [String] {
    (0..<count).flatMap { part in
      let place = #""output_index":0,"item_id":"msg_0","content_index":\#(part)"#
      let json = #"{"type":"output_text","text":"x","annotations":[]}"#
      return [
        #"{"type":"response.content_part.added",\#(place),"part":\#(json)}"#, delta(part),
        #"{"type":"response.output_text.done",\#(place),"text":"x"}"#,
        #"{"type":"response.content_part.done",\#(place),"part":\#(json)}"#,
      ]
    }
  }

  private static func citation(_ place: Int) -> String {
    #"{"type":"url_citation","start_index":\#(place),"end_index":\#(place + 1),"#
      + #""url":"https://example.org/\#(place)","title":"t"}"#
  }
}
