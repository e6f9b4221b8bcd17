/** What has become of a game whose rules have changed. */
import type { Reloaded } from "../protocol/messages";

export function goesOn(told: Reloaded): string {
  return told.kept
    ? "The game goes on with the new rules."
    : `The new rules refuse an answer that was given: the game goes on at position ${told.at} of ${told.of}.`;
}
