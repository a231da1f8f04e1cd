// The module that at least two of the tools share. Each folder is a room; read them in this order:
//
//   Command/   begin here: a tool is a `Command`, a row for each of its options (`Option`), and a
//              function of settings, operands and a `Notifier` to an `ExitStatus`
//   IO/        `pump` moves bytes through a `Filter` to an `Outlet`; no other room calls the system
//   Stream/    from bytes to blocks: `InputBuffer`, and decoders of event streams and JSON texts,
//              which pull and open nothing
//   Feed/      `EventFeed` hands events to the `EventFilter` of a tool; its `Judge` asks
//              `Responses` whose an event is, and `Verdict` how the response stands
//   Events/    from bytes to events: `PayloadDecoder` finds what stands in an input, `EventReader`
//              makes events of it, `EventTriage` chooses those that a tool handles; `EventCatalogue`
//              and `ItemCatalogue` are the tables of all types; `Step` is what an event does to its
//              response
//   Verdict/   the outcome of a response; `StreamedValue` compares a text with its pieces
//   Responses/ the owner of an event, decided once, before any reader: `Responses` has the rules,
//              and a `Response` all that is known of one
//   Chat/      answers of Chat Completions as events of Responses
//   Errors/    the ways to fail: `Failure`, `Notice`, `ExitStatus`
//   JSON/      `JSONScan` checks a text in one walk and notes where its members are (`Members`);
//              `JSONChildren` walks a nested object; values are cut out, never encoded again
//   Numbers/   exact decimals and integers
//   Bytes/     searches over `Span`, UTF-8, text on a terminal, tables of texts

// The C library of the system, for every file of this module and of the tools.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif

extension CommandPage {
  /// The version of the toolkit, and of each of its tools.
  package static let version = "0.1.0"
}
