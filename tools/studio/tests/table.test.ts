import { describe, expect, it } from "vitest";
import { ago, waitsFor } from "../src/games/games";
import type { ListedGame, Person, Shown, Table } from "../src/protocol/messages";
import { called, hasCompany, isMyTurn, isToAsk, manages, others, plainTable, takeBackFor } from "../src/table/people";

const person = (seat: string, more: Partial<Person> = {}): Person => ({
  seat,
  name: "",
  colour: "",
  kind: "person",
  linked: true,
  pages: 1,
  asked: false,
  answered: false,
  ...more,
});
const table = (more: Partial<Table> = {}): Table => ({
  game: "abcdefgh",
  label: "",
  role: "seat",
  seats: ["red"],
  people: [person("red", { name: "anna" }), person("blue"), person("green", { kind: "random", linked: false })],
  onlookers: 0,
  free: false,
  sees_all: false,
  seed_known: false,
  take_back: null,
  questions: [],
  given: false,
  ...more,
});
const shown = (more: object = {}) =>
  ({ at: 5, last: 5, question: { answerable: true, covered: false }, seats: [], ...more }) as unknown as Shown;

describe("a table", () => {
  it("has others where people play by links", () => {
    expect(others(table()).map((one) => one.seat)).toEqual(["blue"]);
    const alone = table({ role: "owner", seats: ["red", "blue"], people: [person("red", { linked: false })] });
    expect([others(alone), hasCompany(alone), hasCompany(table()), hasCompany(undefined)]).toEqual([
      [],
      false,
      true,
      false,
    ]);
    expect([manages("owner"), manages("host"), manages("seat"), manages(undefined)]).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it("asks before others' answers are taken back, unless it is free", () => {
    expect(isToAsk(shown(), table())).toBe(false);
    expect(isToAsk(shown({ at: 3 }), table())).toBe(true);
    expect(isToAsk(shown({ at: 3 }), table({ free: true }))).toBe(false);
    expect(isToAsk(shown({ at: 3 }), table({ people: [person("red"), person("blue", { kind: "random" })] }))).toBe(
      false,
    );
    expect(isToAsk(shown({ at: 3 }), undefined)).toBe(false);
  });

  it("tells each what a request to take back means to them", () => {
    const take_back = { by: "red", at: 3, agreed: [], waits_for: ["blue"] };
    expect(takeBackFor(table())).toBeUndefined();
    expect(takeBackFor(table({ take_back }))).toEqual({
      by: "anna (red)",
      at: 3,
      isMine: true,
      isAsked: false,
      waits: ["blue"],
    });
    expect(takeBackFor(table({ take_back, seats: ["blue"] }))).toMatchObject({ isMine: false, isAsked: true });
    expect(takeBackFor(table({ take_back, seats: [] }))).toMatchObject({ isMine: false, isAsked: false });
    expect(called(table(), "blue")).toBe("blue");
  });

  it("calls who is to answer now, and nobody who plays alone", () => {
    expect(isMyTurn(shown(), table())).toBe(true);
    expect(isMyTurn(shown({ at: 4 }), table())).toBe(false);
    expect(isMyTurn(shown({ question: null }), table())).toBe(false);
    const alone = shown({ game: "abcdefgh", seats: [{ seat: "a", kind: "person" }] });
    expect(isMyTurn(alone, plainTable(alone, "owner"))).toBe(false);
    const two = shown({ game: "abcdefgh", seats: [...alone.seats, { seat: "b", kind: "random" }] });
    expect(isMyTurn(two, plainTable(two, "owner"))).toBe(true);
  });
});

describe("the list of games", () => {
  it("says when, and who is asked", () => {
    const now = 1_700_000_000;
    expect([5, 150, 7200, 90_000, 200_000].map((seconds) => ago(now - seconds, now))).toEqual([
      "just now",
      "2 minutes ago",
      "2 hours ago",
      "yesterday",
      "2 days ago",
    ]);
    expect(ago(now - 4_000_000, now)).toMatch(/2023/);
    const people = [person("red", { name: "anna" }), person("blue")];
    const game = { people, asks: ["red", "blue"], over: false } as unknown as ListedGame;
    expect(waitsFor(game)).toBe("anna, blue to move");
    expect(waitsFor({ ...game, over: true })).toBe("over");
  });
});
