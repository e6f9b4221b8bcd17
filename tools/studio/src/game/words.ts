/** Requests in words, as people know them. */
import type { Method } from "../protocol/client";

interface Words {
  /** What goes on until it is answered. */
  does?: string;
  /** What is lost with the connection; without it, the page asks anew by itself. */
  lost?: string;
}

export const WORDS: Partial<Record<Method, Words>> = {
  ruleset: { does: "The rules are read" },
  "files/read": { does: "The file is read" },
  "files/write": { does: "The file is written", lost: "the text to be saved" },
  "files/newVariant": { does: "The variant is made", lost: "the new variant" },
  "files/takeVariant": { does: "The variant is kept", lost: "the variant of the link" },
  "game/start": { does: "The rules are read, and the game begins", lost: "the new game" },
  "game/open": { does: "The position is laid out", lost: "the game to be opened" },
  "game/reload": { does: "The game goes through its answers with the new rules", lost: "the change of the rules" },
  "game/hint": { does: "A hint is sought", lost: "the hint" },
  "game/answer": { does: "The answer is carried out" },
  "game/line": { does: "The other line is gone through", lost: "the other line of play" },
  "game/continue": { lost: "the request that agents play on" },
  "game/undo": { lost: "Undo" },
  "game/redo": { lost: "Redo" },
  "game/goto": { lost: "the look at another position" },
  "game/look": { lost: "the look at the game" },
  "games/open": { does: "The game goes through its answers", lost: "the game to be opened" },
  "games/copy": { does: "The game is copied", lost: "the copy" },
  "games/list": { does: "The games are looked up" },
  "games/delete": { lost: "the game to be deleted" },
  "inspect/state": { does: "The position is looked through" },
  "inspect/plan": { does: "Plans are made" },
  "inspect/trace": { does: "The statements are looked up" },
  "jobs/write": { does: "The file is written", lost: "the files to be written" },
  "jobs/start": { lost: "the job to be begun" },
  "jobs/stop": { lost: "the job to be stopped" },
  "jobs/keep": { lost: "the scenario to be kept" },
  "rules/compare": { does: "The rules are compared" },
  "scenarios/propose": { does: "The game is told as a scenario" },
  "scenarios/keep": { does: "The scenario is kept and run", lost: "the scenario to be kept" },
  "table/rematch": { does: "The game begins", lost: "the rematch" },
  "table/invite": { lost: "the link" },
  "table/revoke": { lost: "the link to be taken back" },
  "table/settle": { lost: "the settings of the table" },
  "table/person": { lost: "the name and colour" },
  "table/seat": { lost: "the change of the seat" },
  "table/takeBack": { lost: "the request to take back" },
  "table/agree": { lost: "what you have said to the request" },
  "table/feedback": { lost: "your feedback" },
};
