/** What somebody has chosen before a game, as the host wants it. */
import type { Params } from "../protocol/client";

export interface Choices {
  players: number;
  variants: string[];
  /** Parameters that were changed. */
  options: Record<string, string>;
  seats: string[];
  /** Empty: any. */
  seed: string;
  viewer: string;
}

export function startParams(ruleset: string, choices: Choices): Params<"game/start"> {
  return {
    ruleset,
    ...(choices.players > 0 ? { players: choices.players } : {}),
    variants: [...choices.variants],
    options: { ...choices.options },
    seats: choices.seats.map((seat) => seat.trim()),
    ...(choices.seed.trim() === "" ? {} : { seed: Number(choices.seed) }),
    viewer: choices.viewer,
  };
}
