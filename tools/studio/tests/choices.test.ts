import { describe, expect, it } from "vitest";
import { excludedBy, withOption, withVariant } from "../src/variants/choices";

describe("switches", () => {
  it("lay variants over each other in the order of the rules", () => {
    expect(withVariant(["a", "b", "c"], ["c"], "a")).toEqual(["a", "c"]);
    expect(withVariant(["a", "b", "c"], ["a", "c"], "a")).toEqual(["c"]);
  });
  it("do not tick a variant that a ticked one excludes", () => {
    const excludes = { long: ["short"], short: ["long"] };
    expect(excludedBy(excludes, ["long"], "short")).toBe("long");
    expect(excludedBy(excludes, ["long", "short"], "short")).toBeUndefined();
    expect(excludedBy(excludes, ["other"], "short")).toBeUndefined();
  });
  it("leave a parameter to the rules when nothing is in its box", () => {
    expect(withOption({ a: "1" }, "b", "2")).toEqual({ a: "1", b: "2" });
    expect(withOption({ a: "1", b: "2" }, "a", "")).toEqual({ b: "2" });
  });
});
