/**
 * What a person does while the host is away. The one answer that was not acknowledged is kept, and sent again: the host
 * takes it once, however often it comes. Whatever else was asked for is lost, and is said to be.
 */
import { ConnectionLost, Refusal, type Method, type Params } from "../protocol/client";
import { WORDS } from "./words";

export interface Given {
  game: string;
  at: number;
  key: string;
  label: string;
}

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
    const word = WORDS[method]?.lost;
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
