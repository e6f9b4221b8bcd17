/** The websocket of `rulewright studio`: opened with the token of the link, and opened again when it was lost. */
import type { Connection } from "./client";
import { sessionName } from "./session";

const BUSY = 1013;
const TOKEN = "rulewright.token";
const AGAIN = [300, 600, 1200, 2500, 5000];

/** The secret of the link, which does not stay in the address. */
export function takeToken(location: Location, history: History, storage: Storage): string {
  const found = /[#&]token=([\w-]+)/.exec(location.hash);
  if (found?.[1]) {
    storage.setItem(TOKEN, found[1]);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return storage.getItem(TOKEN) ?? "";
}

export class SocketCarrier implements Connection {
  onText: (text: string) => void = () => undefined;
  onOpen: () => void = () => undefined;
  onLost: (sentence: string) => void = () => undefined;
  private socket: WebSocket | undefined;
  private tries = 0;
  private wasOpen = false;

  constructor(
    private readonly token: string,
    private readonly storage: Storage = sessionStorage,
  ) {}

  open(anew = false): void {
    const address = new URL("host", document.baseURI);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    address.searchParams.set("session", sessionName(this.storage, anew));
    const socket = new WebSocket(address, ["rulewright.1", this.token || "none"]);
    this.socket = socket;
    let opened = false;
    socket.onopen = () => {
      opened = true;
      this.onOpen();
    };
    socket.onmessage = (event) => {
      this.tries = 0;
      this.wasOpen = true;
      this.onText(String(event.data));
    };
    socket.onclose = (event) => this.lost(event.code, opened);
  }

  send(text: string): void {
    this.socket?.send(text);
  }

  private lost(code: number, opened: boolean): void {
    const wait = AGAIN[this.tries++];
    if (code === BUSY) {
      // This window was opened as a copy of another one, which keeps its game; or the last page has not gone yet.
      this.onLost("");
      setTimeout(() => this.open(this.tries > 2), wait ?? 5000);
    } else if (!opened && !this.wasOpen) {
      this.onLost("The studio does not let this page in: open the link that `rulewright studio` has printed.");
    } else if (wait === undefined) {
      this.onLost("The studio has ended. Start it again, and open the link that it prints.");
    } else {
      this.onLost("The connection to the studio is lost; trying again.");
      setTimeout(() => this.open(), wait);
    }
  }
}
