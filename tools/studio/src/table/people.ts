/** Who sits at a table, and what that lets this page do. */
import type { Hello, Person, Shown, Table } from "../protocol/messages";

export type Role = Hello["role"];

/** The owner of a studio manages all games, the host one. */
export function manages(role: Role | undefined): boolean {
  return role === "owner" || role === "host";
}

/** A table of which nothing is known but the game: all its people sit at this page. */
export function plainTable(shown: Shown, role: Role): Table {
  const { game, seats, question } = shown;
  const rest = { name: "", colour: "", linked: false, pages: 1, answered: false };
  return {
    game,
    role,
    seats: seats.filter((one) => one.kind === "person").map((one) => one.seat),
    people: seats.map(({ seat, kind }) => ({ seat, kind, asked: question?.who === seat, ...rest })),
    label: "",
    onlookers: 0,
    free: false,
    sees_all: false,
    seed_known: false,
    take_back: null,
    questions: [],
    given: false,
  };
}

/** People who play elsewhere. */
export function others(table: Table | undefined): Person[] {
  return table?.people.filter((one) => one.kind === "person" && !table.seats.includes(one.seat)) ?? [];
}

/** Without a wish, only answers are given where nobody else waits: who answers at once shows that they had to. */
export function givesForced(wish: "yes" | "no" | undefined, table: Table | undefined): boolean {
  return wish ? wish === "yes" : others(table).length === 0;
}

/** True if more than this page is at the table, or may come. */
export function hasCompany(table: Table | undefined): table is Table {
  return (
    table !== undefined && (table.role !== "owner" || table.onlookers > 0 || table.people.some((one) => one.linked))
  );
}

/** True if an answer in the position that is shown takes back what others have played, and they are to agree. */
export function isToAsk(shown: Shown, table: Table | undefined): boolean {
  return shown.at < shown.last && table?.free === false && others(table).length > 0;
}

/** A person by their name, if they have given one, with the seat. */
export function called(table: Table | undefined, seat: string): string {
  const name = table?.people.find((one) => one.seat === seat)?.name;
  return name && name !== seat ? `${name} (${seat})` : seat;
}

/** True if this page is to answer now, and not only because all sit at it. */
export function isMyTurn(shown: Shown | undefined, table: Table | undefined): boolean {
  if (!shown?.question || !table || shown.at < shown.last) return false;
  const isMine = (one: Person) => table.seats.includes(one.seat);
  const isAsked = table.people.some((one) => one.asked && isMine(one));
  return !table.people.every(isMine) && (shown.question.answerable || (shown.question.covered && isAsked));
}

/** Who has not said yes to a request to go back, and what this page has to do with it. */
export function takeBackFor(
  table: Table | undefined,
): { by: string; at: number; isMine: boolean; isAsked: boolean; waits: string[] } | undefined {
  const wish = table?.take_back;
  if (!table || !wish) return undefined;
  return {
    by: called(table, wish.by),
    at: wish.at,
    isMine: table.seats.includes(wish.by),
    isAsked: wish.waits_for.some((seat) => table.seats.includes(seat)),
    waits: wish.waits_for.map((seat) => called(table, seat)),
  };
}
