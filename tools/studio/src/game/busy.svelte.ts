/** What the host is at: it is named on the page as soon as it takes longer than a moment. */
import type { Method } from "../protocol/client";
import { WORDS } from "./words";

/** Milliseconds that need no word. */
const MOMENT = 500;

export class Busy {
  /** What goes on, in words; empty if that takes no time, or nothing does. */
  does = $state("");

  /** A request was sent; what comes back is to be called when it is answered. */
  begin(method: Method): () => void {
    const words = WORDS[method]?.does;
    if (words === undefined) return () => undefined;
    const clock = setTimeout(() => (this.does = words), MOMENT);
    return () => {
      clearTimeout(clock);
      if (this.does === words) this.does = "";
    };
  }
}
