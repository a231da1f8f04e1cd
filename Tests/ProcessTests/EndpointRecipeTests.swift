import Foundation
import ProcessSupport
import Testing

/// The recipes for other endpoints and for work in the background, run as they stand there.
@Suite(.waiting) struct EndpointRecipeTests {
  private typealias Row = RecipeServer.Row

  @Test func `a file is uploaded, indexed, asked about and deleted`() throws {
    let attached = "/vector_stores/vs_1/files"
    let indexing = #"{"id":"file-1","object":"vector_store.file","status":"in_progress"}"#
    let list =
      #"{"object":"list","data":[{"id":"vs_1","name":"notes","status":"completed"}],"has_more":true,"#
    try Recipe(
      heading: "Ask about your own file", files: ["notes.md": "Ann, Bob.\n"],
      setup: "sleep() { :; }",
      rows: [
        Row(
          "POST /files", .form(["purpose=user_data", "file@notes.md:text/markdown=Ann, Bob.\n"]),
          #"{"id":"file-1","object":"file","bytes":10,"purpose":"user_data","status":"processed"}"#),
        Row(
          "POST /vector_stores", .json(#"{"name":"notes"}"#),
          #"{"id":"vs_1","object":"vector_store","name":"notes","status":"completed"}"#),
        Row("POST " + attached, .json(#"{"file_id":"file-1"}"#), indexing),
        Row(
          "GET \(attached)/file-1", .none, indexing,
          #"{"id":"file-1","object":"vector_store.file","status":"completed"}"#),
        Row(
          "POST /responses",
          .json(
            #"{"model":"gpt-5.2","input":"Who takes part?","stream":true,"#
              + #""tools":[{"type":"file_search","vector_store_ids":["vs_1"]}]}"#),
          Recipe.says("Ann and Bob.")),
        Row("GET /vector_stores", .none, list + #""last_id":"vs_1"}"#),
        Row(
          "GET /vector_stores?after=vs_1", .none,
          #"{"object":"list","data":[{"id":"vs_2","name":null,"status":"expired"}],"has_more":false}"#
        ),
        Row(
          "DELETE /vector_stores/vs_1", .none,
          #"{"id":"vs_1","object":"vector_store.deleted","deleted":true}"#),
        Row("DELETE /files/file-1", .none, #"{"id":"file-1","object":"file","deleted":true}"#),
      ],
      prints: "completed\nAnn and Bob.\nvs_1\tnotes\tcompleted\nvs_2\t\texpired\ntrue\ntrue\n"
    ).expect()
  }

  @Test func `a conversation is made and gone on with`() throws {
    let asks = { (text: String) in
      #"{"model":"gpt-5.2","conversation":"conv_1","input":"\#(text)","stream":true}"#
    }
    let list = #"{"object":"list","data":[{"id":"msg_1"},{"id":"msg_2"}],"has_more":false}"#
    try Recipe(
      heading: "A conversation that the server keeps",
      rows: [
        Row(
          "POST /conversations", .none,
          #"{"id":"conv_1","object":"conversation","created_at":1,"metadata":{}}"#),
        Row("POST /responses", .json(asks("My name is Ann.")), Recipe.says("Hello, Ann.")),
        Row("POST /responses", .json(asks("What is my name?")), Recipe.says("Ann.")),
        Row("GET /conversations/conv_1/items?order=asc", .none, list),
      ], prints: "Hello, Ann.\nAnn.\nmsg_1\nmsg_2\n"
    ).expect()
  }

  @Test func `files of a container are fetched that an answer cites`() throws {
    let citation =
      #"{"type":"container_file_citation","container_id":"cntr_1","file_id":"cfile_1","#
      + #""filename":"chart 1.png","start_index":8,"end_index":19}"#
    let part = #"{"type":"output_text","text":"Here is chart 1.png.","annotations":[\#(citation)]}"#
    let message =
      #"{"id":"msg_1","type":"message","status":"completed","role":"assistant","content":[\#(part)]}"#
    let response = SampleStream.response("completed", output: message)
    try Recipe(
      heading: "Files that the code of an answer made",
      rows: [
        Row(
          "POST /responses",
          .json(
            #"{"model":"gpt-5.2","input":"Draw the squares of 1 to 9.","stream":true,"#
              + #""tools":[{"type":"code_interpreter","container":{"type":"auto"}}]}"#),
          .stream(
            Array(
              SampleStream.stream([
                #"{"type":"response.created","response":\#(SampleStream.response("in_progress"))}"#,
                #"{"type":"response.completed","response":\#(response)}"#,
              ]).utf8))),
        Row(
          "GET /containers/cntr_1/files/cfile_1/content", .none,
          .body("<svg/>", type: "image/png")),
      ], prints: "", writes: ["made/chart 1.png": "<svg/>"]
    ).expect()
  }

  @Test func `images, speech, transcripts and the rest become files and lines`() throws {
    let transcript =
      #"data: {"type":"transcript.text.delta","delta":"Ann, "}"# + "\n\n"
      + #"data: {"type":"transcript.text.delta","delta":"Bob."}"# + "\n\n"
      + #"data: {"type":"transcript.text.done","text":"Ann, Bob."}"# + "\n\n"
    let sound = ["model=gpt-4o-transcribe", "file@notes.mp3:audio/mpeg=ID3 sound"]
    try Recipe(
      heading: "Images, speech, transcripts, embeddings, models",
      files: ["notes.md": "Ann, Bob.\n"],
      rows: [
        Row(
          "POST /images/generations", .json(#"{"model":"gpt-image-1","prompt":"A red barn"}"#),
          #"{"created":1,"data":[{"b64_json":"YmFybg=="}]}"#),
        Row(
          "POST /images/edits",
          .form(["model=gpt-image-1", "prompt=In snow", "image@barn.png:image/png=barn"]),
          #"{"created":1,"data":[{"b64_json":"c25vdw=="}]}"#),
        Row(
          "POST /audio/speech",
          .json(#"{"model":"gpt-4o-mini-tts","voice":"alloy","input":"Ann, Bob.\n"}"#),
          .body("ID3 sound", type: "audio/mpeg")),
        Row("POST /audio/transcriptions", .form(sound), #"{"text":"Ann, Bob."}"#),
        Row(
          "POST /audio/transcriptions", .form(sound + ["stream=true"]),
          .stream(Array(transcript.utf8))),
        Row(
          "POST /embeddings", .json(#"{"model":"text-embedding-3-small","input":"Ann, Bob.\n"}"#),
          #"{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.5,-1e-3]}]}"#),
        Row(
          "POST /moderations", .json(#"{"model":"omni-moderation-latest","input":"Ann, Bob.\n"}"#),
          #"{"id":"modr_1","results":[{"flagged":false}]}"#),
        Row(
          "GET /models", .none,
          #"{"object":"list","data":[{"id":"gpt-5.2"},{"id":"gpt-image-1"}]}"#),
      ],
      prints: "Ann, Bob.\nAnn, Bob.\n[0.5,-0.001]\nfalse\ngpt-5.2\ngpt-image-1\n",
      writes: ["barn.png": "barn", "snow.png": "snow", "notes.mp3": "ID3 sound"]
    ).expect()
  }

  private static let plan =
    #"{"model":"gpt-5.2","background":true,"input":[{"type":"message","role":"user","content":["#
    + #"{"type":"input_text","text":"==> plan.md <==\nGo.\n"},"#
    + #"{"type":"input_text","text":"What is wrong with it?"}]}],"#

  @Test func `a stream in the background that is cut is whole all the same`() throws {
    let stream = SampleStream.events.map(SampleStream.block)
    let start = Array(stream[..<5].joined().utf8)
    try Recipe(
      heading: "Work in the background", files: ["plan.md": "Go.\n"],
      rows: [
        Row(
          "POST /responses", .json(Self.plan + #""reasoning":{"effort":"high"},"stream":true}"#),
          .stream(start + Array("event: x".utf8), .cut(after: start.count + 4))),
        Row(
          "GET /responses/resp_1?stream=true&starting_after=4", .none,
          .stream(Array(stream[5...].joined().utf8))),
      ], prints: SampleStream.text, tells: "oresp-send: the stream was cut after event 4; "
    ).expect()
  }

  @Test func `a job of one run is fetched by another`() throws {
    let folder = try TemporaryFolder()
    _ = try folder.file("plan.md", "Go.\n")
    let part = #"{"type":"output_text","text":"All.","annotations":[]}"#
    let message = #"{"id":"msg_1","type":"message","role":"assistant","content":[\#(part)]}"#
    let server = try RecipeServer(
      key: Sender.key,
      [
        Row(
          "POST /responses", .json(Self.plan + #""stream":false}"#), SampleStream.response("queued")
        ),
        Row(
          "GET /responses/resp_1", .none, SampleStream.response("in_progress"),
          SampleStream.response("completed", output: message)),
      ])
    for (asked, answer) in [(1, nil), (2, nil), (4, "All.\n")] as [(Int, String?)] {
      let run = try Recipe(heading: "Work in the background", block: 1)
        .run(in: folder, asking: server)
      #expect(run.outcome == .exited(0) && run.text == "" && run.errors == "")
      #expect(server.asked.count == asked)
      let written = try? String(contentsOfFile: folder.path + "/answer.txt", encoding: .utf8)
      #expect(written == answer)
    }
    #expect(server.isAskedInFull)
  }

  @Test(arguments: [true, false])
  func `a webhook that is signed leads to the answer`(isSigned: Bool) throws {
    // The signature of `msg_1.1700000000.` and the body, by a key with a NUL and a line end in it.
    let secret = "whsec_" + Data([0, 10, 0xFF, 65]).base64EncodedString()
    let hook = #"{"object":"event","type":"response.completed","data":{"id":"resp_1"}}"#
    let folder = try TemporaryFolder()
    _ = try folder.file("hook.json", hook)
    let part = #"{"type":"output_text","text":"All.","annotations":[]}"#
    let message = #"{"id":"msg_1","type":"message","role":"assistant","content":[\#(part)]}"#
    let server = try RecipeServer(
      key: Sender.key,
      [
        Row("GET /responses/resp_1", .none, SampleStream.response("completed", output: message))
      ])
    let run = try Recipe(
      heading: "Work in the background", block: 2,
      environment: [
        "WEBHOOK_SECRET": secret, "webhook_id": "msg_1", "webhook_timestamp": "1700000000",
        "webhook_signature": "v1,AAAA "
          + (isSigned ? "v1,RwqC3S5L2Gk1Qmrt8MxM/mu+q2i8MK8RPZDVpR18dws=" : "v1a,BBBB"),
      ]
    ).run(in: folder, asking: server)
    #expect(run.outcome == .exited(isSigned ? 0 : 1))
    #expect(run.text == (isSigned ? "All.\n" : ""))
    #expect(server.asked.count == (isSigned ? 1 : 0))
  }
}
