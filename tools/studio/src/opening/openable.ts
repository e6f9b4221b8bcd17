/** What of a file can be opened on the board: the scenario in which a line stands, or the game that it holds. */
import type { Params } from "../protocol/client";

const GAME = /"format"\s*:\s*"rulewright-(save|log)"/;

export function openable(name: string, text: string, line: number): Params<"game/open"> | undefined {
  if (name.endsWith(".json")) return GAME.test(text) ? { file: name } : undefined;
  if (!name.endsWith(".rules")) return undefined;
  const before = text.split("\n").slice(0, line);
  const head = before.findLast((one) => /^[^\s#]/.test(one));
  return head?.startsWith("scenario ") ? { file: name, line } : undefined;
}
