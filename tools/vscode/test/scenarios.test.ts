import assert from "node:assert/strict";
import { test } from "node:test";
import { heads, keyOf, outcomes, testWords, told } from "../src/scenarios.js";

const FAILURE = {
  file: "scenarios/a.rules",
  line: 3,
  text: "wins o",
  message: "others have won",
  expected: "o won",
  found: "x won",
  rule: "row",
  log: ["x: cell = (1, 1)"],
};

test("heads of scenarios are found, and nothing else", () => {
  const text = '# scenario "no"\nscenario "one"  @A-1\n    then x is 1\n\nvariant "x" of y\n    add scenario "two"\n';
  assert.deepEqual(heads(text), [
    { title: "one", line: 1 },
    { title: "two", line: 5 },
  ]);
});

test("one scenario is run by its title", () => {
  assert.deepEqual(testWords("f"), ["test", "f", "--format", "json"]);
  assert.deepEqual(testWords("f", 'a "b'), ["test", "f", "--format", "json", "-k", 'a "b']);
});

test("outcomes are found by file and title, in their order", () => {
  const outcome = { title: "one", file: "scenarios/a.rules", line: 1, passed: true };
  const found = outcomes(
    { rulesets: [{ ruleset: "r", scenarios: [outcome, { ...outcome, line: 9, passed: false, failure: FAILURE }] }] },
    "/games/r",
  );
  assert.deepEqual(
    found.get(keyOf("/games/r/scenarios/a.rules", "one"))?.map((each) => each.passed),
    [true, false],
  );
});

test("a failure tells the rule and the log", () => {
  assert.equal(told(FAILURE), "others have won\nin the rule row\n\nup to there:\n  x: cell = (1, 1)");
});
