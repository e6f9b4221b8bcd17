/** Games in a list: in words. */
import type { ListedGame } from "../protocol/messages";

const relative = new Intl.RelativeTimeFormat("en", { numeric: "auto" });
const UNITS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86400],
  ["hour", 3600],
  ["minute", 60],
];

/** When something was, in seconds since 1970. */
export function ago(then: number, now = Date.now() / 1000): string {
  const seconds = Math.max(0, now - then);
  if (seconds > 30 * 86400) return new Date(1000 * then).toLocaleDateString("en", { dateStyle: "medium" });
  const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ["second", 60];
  return unit === "second" ? "just now" : relative.format(-Math.floor(seconds / size), unit);
}

/** Whose turn it is. */
export function waitsFor(game: ListedGame): string {
  if (game.over) return "over";
  const names = game.asks.map((seat) => game.people.find((one) => one.seat === seat)?.name || seat);
  return names.length > 0 ? `${names.join(", ")} to move` : "";
}

/** What a list says of a game, beside its name. */
export function about(game: ListedGame): string {
  const answers = `${game.answers} ${game.answers === 1 ? "answer" : "answers"}`;
  const told = [...(game.label ? [game.title] : []), answers, ago(game.changed)].join(", ");
  return waitsFor(game) ? `${told}: ${waitsFor(game)}` : told;
}
