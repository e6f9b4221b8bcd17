import { beforeEach, describe, expect, it } from "vitest";
import { Preference } from "../src/preferences.svelte";
import type { Table } from "../src/protocol/messages";
import { givesForced } from "../src/table/people";

describe("what somebody has chosen", () => {
  beforeEach(() => localStorage.clear());

  it("is nothing at first, and stays in the browser", () => {
    const sound = new Preference("sound", ["on", "off"]);
    expect(sound.now).toBeUndefined();
    sound.now = "on";
    expect([sound.now, localStorage.getItem("rulewright.sound")]).toEqual(["on", "on"]);
    expect(new Preference("sound", ["on", "off"]).now).toBe("on");
  });

  it("is one of the choices, whatever was kept", () => {
    localStorage.setItem("rulewright.theme", "pink");
    expect(new Preference("theme", ["light", "dark"]).now).toBeUndefined();
  });
});

const table = (seats: string[]) =>
  ({ seats, people: ["red", "blue"].map((seat) => ({ seat, kind: "person" })) }) as unknown as Table;

it("an only answer is given by itself where nobody else waits, unless something else is wished", () => {
  const both = (wish?: "yes" | "no") => [table(["red", "blue"]), table(["red"])].map((one) => givesForced(wish, one));
  expect([both(), both("yes"), both("no")]).toEqual([
    [true, false],
    [true, true],
    [false, false],
  ]);
});
