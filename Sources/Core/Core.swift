// What at least two of the tools use, and nothing else. Each folder is a room; read them in this
// order:
//
//   Command/   begin here: a tool is a `Command`, a row for each of its options (`Option`), and a
//              function of settings, operands and a `Notifier` to an `ExitStatus`
//   IO/        `pump` moves bytes through a `Filter` to an `Outlet`; nothing else calls the system
//   Stream/    from bytes to blocks: `InputBuffer`, and decoders of event streams and JSON texts,
//              which pull and open nothing
//   Feed/      `EventFeed` hands events to the `EventFilter` of a tool; its `Judge` has `Responses`
//              say whose an event is, then `Verdict` how its response stands
//   Events/    from blocks to events: `EventReader` frames and checks, `EventTriage` says which
//              events a tool wants to see; `EventCatalogue` and `ItemCatalogue` are the tables of
//              what there is
//   Verdict/   what an event comes to: how its response stands; `ItemRouter` says which item it is
//              about, `StreamedValue` how much of a text came
//   Responses/ whose an event is: `Responses` decides it once, before any reader; an open response
//              has a slot, and a reader keeps its state of each slot in a `PerLane`
//   Errors/    what went wrong: `Failure`, `Notice`, `ExitStatus`
//   JSON/      `JSONScan` checks a text in one walk and notes where its members stand (`Members`);
//              `JSONChildren` walks what is nested; values are cut out, never encoded again
//   Numbers/   exact decimals, sizes, seconds, stamps
//   Bytes/     searches over `Span`, UTF-8, what is harmless on a terminal

// The C library of the system, for every file of this module and of the tools.
#if canImport(Glibc)
  @_exported public import Glibc
#elseif canImport(Musl)
  @_exported public import Musl
#else
  @_exported public import Darwin
#endif

extension CommandPage {
  /// The version of the toolkit, which all of its tools have.
  package static let version = "0.1.0"
}
