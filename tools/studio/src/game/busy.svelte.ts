/** What the host is at: it is named on the page as soon as it takes longer than a moment. */
import type { Method } from "../protocol/client";

const DOES: Partial<Record<Method, string>> = {
  ruleset: "The rules are read",
  "game/start": "The rules are read, and the game begins",
  "game/open": "The position is laid out",
  "game/reload": "The game goes through its answers with the new rules",
  "game/hint": "A hint is sought",
  "game/answer": "The answer is carried out",
  "game/line": "The other line is gone through",
  "games/open": "The game goes through its answers",
  "games/copy": "The game is copied",
  "games/list": "The games are looked up",
  "table/rematch": "The game begins",
  "rules/compare": "The rules are compared",
  "files/read": "The file is read",
  "files/write": "The file is written",
  "files/newVariant": "The variant is made",
  "inspect/state": "The position is looked through",
  "inspect/plan": "Plans are made",
  "inspect/trace": "The statements are looked up",
  "jobs/write": "The file is written",
  "scenarios/propose": "The game is told as a scenario",
  "scenarios/keep": "The scenario is kept and run",
};

/** Milliseconds that need no word. */
const MOMENT = 500;

export class Busy {
  /** What goes on, in words; empty if that takes no time, or nothing does. */
  does = $state("");

  /** A request was sent; what comes back is to be called when it is answered. */
  begin(method: Method): () => void {
    const words = DOES[method];
    if (words === undefined) return () => undefined;
    const clock = setTimeout(() => (this.does = words), MOMENT);
    return () => {
      clearTimeout(clock);
      if (this.does === words) this.does = "";
    };
  }
}
