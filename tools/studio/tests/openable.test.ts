import { describe, expect, it } from "vitest";
import { openable } from "../src/opening/openable";

const RULES =
  'turn(p):\n    done\n\nscenario "one"\n    start play\n\n# about the next\nscenario "two"\n    start play\n';

describe("what can be opened on the board", () => {
  it("is the scenario in which the cursor stands", () => {
    expect(openable("mine/a.rules", RULES, 2)).toBeUndefined();
    expect(openable("mine/a.rules", RULES, 5)).toEqual({ file: "mine/a.rules", line: 5 });
    expect(openable("mine/a.csv", RULES, 5)).toBeUndefined();
  });
  it("is a file that holds a game", () => {
    expect(openable("mine/a.json", '{"format": "rulewright-save"}', 1)).toEqual({ file: "mine/a.json" });
    expect(openable("mine/ruleset.json", '{"title": "Mine"}', 1)).toBeUndefined();
  });
});
