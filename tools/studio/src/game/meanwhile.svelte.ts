/**
 * What a person does while the host is away. The one answer that was not acknowledged is kept, and sent again: the host
 * takes it once, however often it comes. Whatever else was asked for is lost, and is said to be.
 */
import { ConnectionLost, Refusal, type Method, type Params } from "../protocol/client";

export interface Given {
  game: string;
  at: number;
  key: string;
  label: string;
}

/** Requests that a person makes, as they know them; the page itself makes the others anew. */
const WORDS: Partial<Record<Method, string>> = {
  "game/start": "the new game",
  "game/continue": "the request that agents play on",
  "game/undo": "Undo",
  "game/redo": "Redo",
  "game/goto": "the look at another position",
  "game/line": "the other line of play",
  "game/look": "the look at the game",
  "game/hint": "the hint",
  "game/open": "the game to be opened",
  "game/reload": "the change of the rules",
  "games/open": "the game to be opened",
  "games/delete": "the game to be deleted",
  "games/copy": "the copy",
  "table/invite": "the link",
  "table/revoke": "the link to be taken back",
  "table/settle": "the settings of the table",
  "table/person": "the name and colour",
  "table/seat": "the change of the seat",
  "table/takeBack": "the request to take back",
  "table/agree": "what you have said to the request",
  "table/rematch": "the rematch",
  "table/feedback": "your feedback",
  "files/write": "the text to be saved",
  "files/newVariant": "the new variant",
  "jobs/start": "the job to be begun",
  "jobs/stop": "the job to be stopped",
  "jobs/keep": "the scenario to be kept",
  "jobs/write": "the files to be written",
  "scenarios/keep": "the scenario to be kept",
};

/** Milliseconds after which it is said that an answer was not acknowledged. */
const SLOW = 6000;

export class Meanwhile {
  /** What has become of it. */
  news = $state("");
  /** The label of an answer that the host has not acknowledged for long. */
  slow = $state("");
  /** The answer that was not acknowledged. */
  private waits: Given | undefined;
  /** True if the host may have had it. */
  private wasSent = false;
  private isOnItsWay = false;
  private lost: string[] = [];

  constructor(private readonly request: (params: Params<"game/answer">) => Promise<unknown>) {}

  /** Give an answer. The promise is broken if it is refused, and kept if it is taken, or kept for later. */
  async give(given: Given): Promise<void> {
    if (this.isOnItsWay) return; // a second click, before the first one has changed the page
    if (this.waits && this.wasSent) {
      this.news = `Your answer “${this.waits.label}” was on its way: it will be sent again before you can give another.`;
      return;
    }
    this.waits = given;
    this.news = "";
    if (!(await this.deliver(given))) {
      this.news = `Your answer “${given.label}” is kept, and will be sent when the connection is back.`;
    }
  }

  /** A request was made that the host will not answer. */
  miss(method: Method): void {
    const word = WORDS[method];
    if (!word || this.lost.includes(word)) return;
    this.lost.push(word);
    this.news = this.told();
  }

  /** There is a host again, with this game: send what is kept, and say what has become of it. */
  async again(game: string | null): Promise<void> {
    const given = this.waits;
    const sentences = [this.told()];
    this.lost = [];
    if (given) {
      try {
        if (game !== given.game) throw new Refusal({ code: 0, message: "this is another game" });
        if (!(await this.deliver(given))) return;
        sentences.push(`Your answer “${given.label}” was sent again.`);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        sentences.push(`Your answer “${given.label}” was not taken: ${error.message}.`);
        this.waits = undefined;
      }
    }
    this.news = sentences.filter(Boolean).join(" ");
  }

  /** True if the host has taken the answer; false if it has to be sent again. */
  private async deliver(given: Given): Promise<boolean> {
    this.isOnItsWay = true;
    const clock = setTimeout(() => (this.slow = given.label), SLOW);
    try {
      await this.request({ at: given.at, key: given.key });
    } catch (error) {
      if (error instanceof ConnectionLost) {
        this.wasSent ||= error.wasSent;
        return false;
      }
      this.waits = undefined;
      this.wasSent = false;
      throw error;
    } finally {
      clearTimeout(clock);
      this.isOnItsWay = false;
      this.slow = "";
    }
    this.waits = undefined;
    this.wasSent = false;
    return true;
  }

  private told(): string {
    return this.lost.length > 0 ? `Lost with the connection: ${this.lost.join(", ")}. Ask for it again.` : "";
  }
}
