import Foundation
import ProcessSupport
import Testing

/// `oresp-events --timeline` on a terminal, and as a picture in a browser.
@Suite(.waiting) struct TimelinePictureTests {
  /// A response with what is no good in XML, in HTML or on a terminal.
  static let hostile: String = {
    let query = #"\u001b[2J]]><script>alert(1)</script>&amp;'\"\u202e\uffff日本🌊 --> and on and on"#
    let events = [
      #"created","response":{"id":"<r&\"'>","model":"]]>"}"#,
      #"queued","response":{"id":"<r&\"'>"}"#, #"in_progress","response":{"id":"<r&\"'>"}"#,
      #"output_item.added","output_index":0,"item":{"type":"reasoning","id":"a"}"#,
      #"output_item.done","output_index":0,"item":{"type":"reasoning","id":"a"}"#,
      #"output_item.added","output_index":1,"item":{"type":"web_search_call","id":"b"}"#,
      #"output_item.done","output_index":1,"item":{"type":"web_search_call","id":"b","status":"failed","action":{"query":"\#(query)"}}"#,
      #"output_item.added","output_index":2,"item":{"type":"mcp_call","id":"c","name":"<!--"}"#,
      #"output_text.delta","output_index":3,"delta":"a""#,
      #"failed","response":{"id":"<r&\"'>","status":"failed","error":{"code":"server_error","message":"<b>"}}"#,
    ]
    return events.enumerated().map { index, event in
      #"{"type":"response.\#(event),"oresp":{"at":\#(1000 + index * index)}}"# + "\n"
    }.joined()
  }()

  private static func picture() throws -> String {
    let run = try ToolProcess.run(
      "oresp-events", ["--timeline=svg"], input: .text(hostile + hostile))
    #expect(run.outcome == .exited(5))
    return run.text
  }

  @Test(
    arguments: [
      (["TERM": "xterm"], true), (["TERM": "dumb"], false), ([:], false),
      (["TERM": "xterm", "NO_COLOR": "1"], false),
    ] as [([String: String], Bool)])
  func `a terminal gets colours and nothing else that it would obey`(
    environment: [String: String], hasColours: Bool
  ) throws {
    let run = try ToolProcess(
      "oresp-events", ["--timeline"], input: .text(Self.hostile),
      environment: environment, terminals: [1]
    ).finish()
    #expect(run.text.contains("\u{1B}[0;31m×\u{1B}[m") == hasColours)
    let rest = run.text.replacing(/\u{1B}\[[0-9;]*m/, with: "")
    #expect(!rest.unicodeScalars.contains { "\u{1B}\u{202E}".unicodeScalars.contains($0) })
    #expect(rest.contains(#"web search "\u{1b}[2J"#))
  }

  @Test(.needs(Tools.path(of: "python3") != nil, "python3 is not installed"))
  func `a picture is XML`() throws {
    let check = "import sys, xml.dom.minidom as x; x.parse(sys.stdin.buffer)"
    let run = try ToolProcess.run("python3", ["-c", check], input: .text(try Self.picture()))
    #expect(run.outcome == .exited(0), "\(run.errors)")
  }

  private static let hasOwnNetwork =
    (try? ToolProcess.run("unshare", ["-rn", "true"]).outcome) == .exited(0)

  /// What the script in the page found.
  private struct Found: Decodable {
    var isDark, isXML: Bool
    var role, name: String
    var foreign, outside, overlaps, pale: [String]
    var texts: [String]
  }

  @Test(
    .needs(Tools.path(of: "chromium") != nil, "chromium is not installed"),
    .needs(hasOwnNetwork, "unshare(1) may not give a process a network of its own"),
    arguments: [false, true])
  func `a browser shows a picture whole, in light and dark, and reads it out`(isDark: Bool) throws {
    let folder = try TemporaryFolder()
    let picture = try JSONEncoder().encode([Self.picture()])
    let source = String(decoding: picture, as: UTF8.self).replacing("</", with: "<\\/")
    let page = try folder.file(
      "page.html", Self.page.replacing("PICTURE", with: source))
    // Without a network of its own the browser reaches nothing, not even to see whether it could.
    let run = try ToolProcess.run(
      "unshare",
      [
        "-rn", "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run",
        "--disable-background-networking", "--disable-component-update",
        "--disable-dev-shm-usage", "--user-data-dir=\(folder.path)/profile",
        "--enable-blink-features=ComputedAccessibilityInfo",
        "--blink-settings=preferredColorScheme=\(isDark ? 0 : 1)", "--dump-dom", "file://\(page)",
      ], environment: ["HOME": folder.path])
    let match = run.text.firstMatch(of: /<pre id="found">(.*?)<\/pre>/)
    let json = try #require(match?.1, "\(run.errors)").replacing("&amp;", with: "&")
      .replacing("&lt;", with: "<").replacing("&gt;", with: ">")
    let found = try JSONDecoder().decode(Found.self, from: Data(json.utf8))
    #expect(found.isDark == isDark)
    #expect(found.isXML)
    #expect(found.foreign == [])
    #expect(found.outside == [])
    #expect(found.overlaps == [])
    #expect(found.pale == [], "too little contrast")
    #expect(found.role == "image")
    #expect(found.name.hasPrefix(#"Timeline of <r&"'> <r&"'>, ]]>, failed after 1m21s"#))
    #expect(found.name.contains("first text at 1m04s") && found.name.contains("日本🌊"))
    #expect(found.texts.contains("reasoning") && found.texts.contains("mcp <!--"))
  }

  /// Puts the picture into a page, by the parser that knows no mercy, and measures it.
  private static let page = #"""
    <!doctype html><meta charset="utf-8"><body><script>
    const source = PICTURE[0];
    const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
    const isXML = !parsed.querySelector("parsererror");
    const picture = document.body.appendChild(document.adoptNode(parsed.documentElement));
    const all = [...picture.querySelectorAll("*")];
    const texts = all.filter(e => e.localName == "text");
    const box = e => e.getBBox();
    const frame = picture.viewBox.baseVal;
    const outside = all.filter(e => ["text", "rect", "path"].includes(e.localName)).filter(e => {
      const b = box(e);
      return b.x < 0 || b.y < 0 || b.x + b.width > frame.width || b.y + b.height > frame.height;
    });
    const overlaps = texts.filter(a => texts.some(b => {
      const [p, q] = [box(a), box(b)];
      return a != b && p.x < q.x + q.width && q.x < p.x + p.width
        && p.y + 2 < q.y + q.height && q.y + 2 < p.y + p.height;
    }));
    const paper = getComputedStyle(picture.querySelector(".paper")).fill;
    const light = color => {
      const [r, g, b] = color.match(/\d+/g).map(n => n / 255)
        .map(c => c <= .04045 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
      return .2126 * r + .7152 * g + .0722 * b + .05;
    };
    const contrast = (a, b) => Math.max(light(a) / light(b), light(b) / light(a));
    const pale = all.filter(e => {
      const style = getComputedStyle(e);
      if (e.localName == "text") return contrast(style.fill, paper) < 4.5;
      if (e.localName != "rect" || e.matches(".paper")) return false;
      return contrast(e.matches(".queued") ? style.stroke : style.fill, paper) < 3;
    });
    const known = ["title", "desc", "style", "rect", "path", "text", "g"];
    const foreign = all.filter(e => !known.includes(e.localName)
      || e.getAttributeNames().some(n => n.startsWith("on") || n.includes("href") || n == "style"));
    const tell = list => list.map(e => e.outerHTML);
    const found = document.body.appendChild(document.createElement("pre"));
    found.id = "found";
    found.textContent = JSON.stringify({
      isXML, isDark: matchMedia("(prefers-color-scheme: dark)").matches,
      role: picture.computedRole, name: picture.computedName, foreign: tell(foreign),
      outside: tell(outside), overlaps: tell(overlaps), pale: tell(pale),
      texts: texts.map(e => e.textContent),
    });
    </script>
    """#
}
