import { describe, expect, it } from "vitest";
import { sections } from "../src/inspecting/traced";
import { branch } from "../src/inspecting/tree";
import type { TracedHeading } from "../src/protocol/messages";

describe("the tree of a position", () => {
  it("tells pieces that are alike once", () => {
    const pieces = [{ key: "red" }, { key: "blue" }, { key: "red" }];
    expect(branch("pieces", pieces)).toEqual({ name: "pieces", text: "red × 2, blue", branches: [] });
  });

  it("tells pieces that are not seen, and what is more than a name", () => {
    expect(branch("pieces", [{}, {}]).text).toBe("not seen × 2");
    expect(branch("pieces", [{ key: "a", back: "b" }]).branches[0]?.branches).toHaveLength(2);
  });

  it("tells nothing, no value and truth in words", () => {
    const found = branch("x", { none: null, yes: true, no: false, empty: {}, list: [] });
    expect(found.branches.map((one) => one.text)).toEqual(["none", "yes", "no", "nothing", "nothing"]);
  });
});

describe("statements of the rulebook", () => {
  function statement(id: string, section: string, status: TracedHeading["status"], times: number | null) {
    return { id, section, status, times };
  }
  const all = [
    statement("1", "A", "covered", 2),
    statement("2", "A", "covered", 0),
    statement("3", "B", "missing", null),
    statement("4", "A", "covered", null),
  ];

  function ids(wanted: Parameters<typeof sections>[1]): string[][] {
    return sections(all, wanted).map((one) => [one.title, ...one.statements.map((found) => found.id)]);
  }

  it("stay in their order, section by section", () => {
    expect(ids("all")).toEqual([
      ["A", "1", "2"],
      ["B", "3"],
      ["A", "4"],
    ]);
  });

  it("are chosen by their rules; of what is not counted nothing is said", () => {
    expect(ids("missing")).toEqual([["B", "3"]]);
    expect(ids("used")).toEqual([["A", "1"]]);
    expect(ids("unused")).toEqual([["A", "2"]]);
  });
});
