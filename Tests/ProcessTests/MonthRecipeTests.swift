import Foundation
import ProcessSupport
import Testing

/// The recipe that puts the logs of a month into a database, with the real `sqlite3`.
@Suite(.waiting) struct MonthRecipeTests {
  /// Runs of two days, of two models, of which some failed.
  private static let runs = """
    log() {
      oresp-send --rehearse="$1" --log one.log 'Who?' >/dev/null 2>&1
      jq -c --arg at "$2" --arg model "$3" --arg id "$4" \
        '.time = $at + "T10:00:00Z" | if .usage then .response_model = $model | .response_id = $id
        else . end' one.log >>runs.log
      rm one.log
    }
    log completed 2026-10-01 small r1
    log completed 2026-10-01 small r2
    log completed 2026-10-01 large r3
    log incomplete 2026-10-02 small r4
    log http-429 2026-10-02 small r5
    log http-429 2026-10-03 small r6
    log http-401 2026-10-03 small r7
    log refusal 2026-10-03 unpriced r8
    """

  private static let recipe = Recipe(
    heading: "Cost over a month",
    files: ["prices.json": #"{"small":{"input":1,"output":2},"large":{"input":10,"output":20}}"#],
    setup: runs,
    prints: """
      2026-10-01	large	1	376	0.0044
      2026-10-01	small	2	752	0.0009
      2026-10-02	small	1	376	0.0004
      2026-10-03	unpriced	1	376	
      temporary	429	2	2026-10-03T10:00:00Z
      incomplete	200	1	2026-10-02T10:00:00Z
      refusal	200	1	2026-10-03T10:00:00Z
      refused	401	1	2026-10-03T10:00:00Z

      """, tells: "oresp-events: ")

  @Test(arguments: [recipe])
  func `a recipe does what it says`(recipe: Recipe) throws { try recipe.expect() }
}
