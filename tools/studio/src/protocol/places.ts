/**
 * Where this page is, and with which secret it comes: that of the studio's own link, or the key of a link to one game.
 *
 * Secrets do not stay in the address. Each window remembers its own, so that two seats can be tried side by side, and the
 * browser remembers the last ones, so that an address without a secret leads back.
 */

const TOKEN = "rulewright.token";
const KEY = "rulewright.key.";
const GAME = /\/game\/([\w-]+)\/?$/;

export class Place {
  /** The address of the studio, below which all of it lies; a proxy may have put it anywhere. */
  readonly base: URL;
  /** The game that is wanted; empty: the one at which this window was, or none. */
  game: string;
  /** Secrets that may open it, the likeliest first. */
  private candidates: string[] = [];

  constructor(
    location: Location = window.location,
    private readonly history: History = window.history,
    /** What lasts as long as the window, and what lasts longer. */
    private readonly stores: readonly [Storage, Storage] = [sessionStorage, localStorage],
  ) {
    const path = location.pathname;
    this.game = GAME.exec(path)?.[1] ?? "";
    this.base = new URL(this.game ? path.replace(GAME, "/") : path.replace(/[^/]*$/, ""), location.origin);
    const [, kind, secret] = /[#&](token|key)=([\w-]+)/.exec(location.hash) ?? [];
    if (secret) {
      this.keep(kind === "key" ? KEY + this.game : TOKEN, secret);
      history.replaceState(null, "", path + location.search);
    }
    this.look();
  }

  /** The secret with which the page comes now; empty: it has none. */
  get secret(): string {
    return this.candidates[0] ?? "";
  }

  /** The secret was refused; true if there is another one to be tried. */
  next(): boolean {
    this.candidates.shift();
    return this.candidates.length > 0;
  }

  /** Perhaps the secret was refused, perhaps nobody was there: another one, if there is one, goes first. */
  turn(): void {
    this.candidates.push(...this.candidates.splice(0, 1));
  }

  /** The page shows a game, or none: so its address says, and leads back to it. */
  isAt(game: string): void {
    if (game === this.game) return;
    this.game = game;
    this.history.replaceState(null, "", this.base.pathname + (game && `game/${game}`));
  }

  /** Go to another game, with a key of its own. */
  goTo(game: string, key: string): void {
    this.keep(KEY + game, key);
    this.isAt(game);
    this.look();
  }

  /** The games to which this browser has had links. */
  known(): string[] {
    const names = Array.from({ length: this.stores[1].length }, (_, number) => this.stores[1].key(number) ?? "");
    return names.filter((name) => name.startsWith(KEY)).map((name) => name.slice(KEY.length));
  }

  /** The link was taken back: its key opens nothing any more. */
  forgetKey(): void {
    for (const store of this.stores) store.removeItem(KEY + this.game);
  }

  linkTo(game: string, key: string): string {
    return new URL(`game/${game}#key=${key}`, this.base).href;
  }

  /** The address of a websocket of the studio. */
  socket(name: string, params: Record<string, string> = {}): URL {
    const address = new URL(name, this.base);
    address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
    for (const [key, value] of Object.entries(params)) address.searchParams.set(key, value);
    return address;
  }

  /** The key with which this window came, then that of the studio, then the key of another window. */
  private look(): void {
    const [own, last] = this.game ? this.found(KEY + this.game) : [];
    const [token, lastToken] = this.found(TOKEN);
    const secrets = [own, token ?? lastToken, last];
    this.candidates = [...new Set(secrets.filter((one) => typeof one === "string"))];
  }

  private keep(name: string, secret: string): void {
    for (const store of this.stores) store.setItem(this.named(name), secret);
  }

  private found(name: string): (string | null)[] {
    return this.stores.map((store) => store.getItem(this.named(name)));
  }

  /** Several studios may lie behind one proxy. */
  private named(name: string): string {
    return name === TOKEN && this.base.pathname !== "/" ? `${name} ${this.base.pathname}` : name;
  }
}
