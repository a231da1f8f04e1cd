// Measures the tools beside what else does their work, and prints one table.

import Foundation

let isQuick = CommandLine.arguments.contains("--quick")
let isGrowth = CommandLine.arguments.contains("--growth")
let runs = isQuick ? 3 : 5
var table = Table()
if !isGrowth {
  try Recorded(megabytes: isQuick ? 10 : 100, runs: runs)?.measure(into: &table)
}
if !isGrowth && !CommandLine.arguments.contains("--recorded") {
  try Throughput(inputs: Inputs(megabytes: isQuick ? 10 : 100), runs: runs).measure(into: &table)
  try Sender(megabytes: isQuick ? 30 : 300, runs: isQuick ? 3 : 21).measure(into: &table)
  try Live.start(runs: isQuick ? 21 : 201, into: &table)
  try Live(events: isQuick ? 500 : 5000).measure(into: &table)
  try Growth.time(runs: 3, into: &table)
}
if isGrowth || Growth.canCount && !CommandLine.arguments.contains("--recorded") {
  try Growth.count(into: &table)
}
table.print()
print("\n" + table.summary)
// What is counted is the same each time.
exit(isGrowth && !table.isMet ? 1 : 0)
