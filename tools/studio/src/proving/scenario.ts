/** Positions at which a scenario of what was played can begin. */
import type { Line } from "../protocol/messages";

export interface StartingPlace {
  at: number;
  text: string;
}

const LONGEST = 60;

/** The start of the game, and each position on the way, by the last sentence that has led to it. */
export function startingPlaces(log: readonly Line[], at: number): StartingPlace[] {
  const found = new Map<number, string>([[0, "the start of the game"]]);
  for (const line of log) if (line.at > 0 && line.at <= at) found.set(line.at, `after: ${short(line.text)}`);
  return [...found].sort(([one], [other]) => one - other).map(([place, text]) => ({ at: place, text }));
}

function short(text: string): string {
  const letters = [...text];
  return letters.length > LONGEST ? `${letters.slice(0, LONGEST - 1).join("")}…` : text;
}
