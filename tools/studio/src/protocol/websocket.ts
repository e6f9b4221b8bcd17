/** The websocket of the studio: opened with the secret of a link, and again and again when it was lost. */
import type { Connection } from "./client";
import type { Place } from "./places";
import { sessionName } from "./session";

const BUSY = 1013;
const TAKEN_BACK = 4001;
const UNKNOWN = 4003;
const READS_NOTHING = 4004;
const LONGEST = 30_000;

/** Milliseconds to wait before another try: longer each time, and not the same for all pages of a server that starts. */
export function pause(tries: number, random = Math.random()): number {
  return Math.min(LONGEST, 400 * 1.8 ** tries) * (0.6 + 0.4 * random);
}

export class SocketCarrier implements Connection {
  onText: (text: string) => void = () => undefined;
  onOpen: () => void = () => undefined;
  onLost: (sentence: string, again?: number) => void = () => undefined;
  private socket: WebSocket | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private tries = 0;
  private copies = 0;
  /** True if the host has answered once: then the link is a good one. */
  private known = false;

  constructor(
    readonly place: Place,
    private readonly storage: Storage = sessionStorage,
  ) {
    for (const event of ["online", "pageshow", "focus"]) {
      addEventListener(event, () => this.timer !== undefined && this.open());
    }
  }

  open(anew = false): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const { game, secret } = this.place;
    const session = sessionName(this.storage, anew);
    const address = this.place.socket("host", { session, ...(game ? { game } : {}) });
    const socket = new WebSocket(address, ["rulewright.1", secret || "none"]);
    this.socket = socket;
    socket.onopen = () => {
      if (socket === this.socket) this.onOpen();
    };
    socket.onmessage = (event) => {
      if (socket !== this.socket) return;
      this.tries = this.copies = 0;
      this.known = true;
      this.onText(String(event.data));
    };
    socket.onclose = (event) => {
      if (socket === this.socket) this.lost(event.code);
    };
  }

  send(text: string): void {
    this.socket?.send(text);
  }

  tryNow(): void {
    const before = this.socket;
    if (this.timer === undefined) this.onLost("The connection is made anew");
    this.open();
    before?.close();
  }

  visit(game: string, key: string): void {
    const before = this.socket;
    this.place.goTo(game, key);
    this.onLost("");
    this.open();
    before?.close();
  }

  private lost(code: number): void {
    if (code === TAKEN_BACK) {
      this.place.forgetKey();
      this.onLost("The link to this game was taken back. Who has sent it can send another one.");
    } else if (code === UNKNOWN && this.place.next()) {
      this.open(); // the browser remembers another link
    } else if (code === UNKNOWN) {
      this.onLost(
        "This page needs a link: open the one that the studio has printed when it was started, or the one that you were sent.",
      );
    } else if (code === BUSY) {
      // This window was opened as a copy of another one, which keeps its place; or the last page has not gone yet.
      this.onLost("");
      this.again(pause(this.copies), ++this.copies > 2);
    } else {
      const wait = pause(this.tries++);
      const why = this.known
        ? "The connection to the studio is lost"
        : "The studio does not answer, or does not know the link of this page";
      if (!this.known) this.place.turn();
      this.onLost(code === READS_NOTHING ? "This page has read nothing for long, and was cut off" : why, wait);
      this.again(wait);
    }
  }

  private again(wait: number, anew = false): void {
    this.timer = setTimeout(() => this.open(anew), wait);
  }
}
