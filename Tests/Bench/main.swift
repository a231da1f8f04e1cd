// Measures the tools beside what else does their work, and prints one table.

let isQuick = CommandLine.arguments.contains("--quick")
let runs = isQuick ? 3 : 5
var table = Table()
try Throughput(inputs: Inputs(megabytes: isQuick ? 10 : 100), runs: runs).measure(into: &table)
try Sender(megabytes: isQuick ? 30 : 300, runs: isQuick ? 3 : 21).measure(into: &table)
try Live.start(runs: isQuick ? 21 : 201, into: &table)
try Live(events: isQuick ? 500 : 5000).measure(into: &table)
try Growth(runs: 3).measure(into: &table)
table.print()
print("\n" + table.summary)
