/** What the host keeps in the browser: games, which of them each window shows, and the player's files. */

const DATABASE = "rulewright";
const VERSION = 2;
const GAMES = "games";
const PAGES = "pages";
const FILES = "files";
/** Milliseconds for which it is known which game a window shows that nobody has come back to. */
const KEPT = 30 * 24 * 3600 * 1000;

/** A game as the host has written it, with what lists say of it; nothing here reads it. */
type Saved = object;

export interface Kept {
  /** The game that this window shows. */
  page?: { name: string };
  /** Games by their names; null: it was deleted. */
  games: Record<string, Saved | null>;
  /** Texts of files with variants, by their names. */
  files: Record<string, string>;
}

interface Page {
  name: string;
  changed: number;
}

/** A file that a window has written. */
export interface Written {
  name: string;
  text: string;
}

export class Storage {
  private readonly others = new BroadcastChannel(DATABASE);

  private constructor(
    /** Undefined where the browser keeps nothing, as in some private windows: then a game lasts as long as its page. */
    private readonly database: IDBDatabase | undefined,
    private readonly session: string,
  ) {}

  static async open(session: string): Promise<Storage> {
    const storage = new Storage(await opened().catch(() => undefined), session);
    await storage.forget();
    return storage;
  }

  async all(): Promise<Kept> {
    if (!this.database) return { games: {}, files: {} };
    const reading = this.database.transaction([GAMES, PAGES, FILES]);
    const [page, games, files] = await Promise.all([
      done<Page | undefined>(reading.objectStore(PAGES).get(this.session)),
      named<Saved>(reading.objectStore(GAMES)),
      named<string>(reading.objectStore(FILES)),
    ]);
    return { ...(page ? { page: { name: page.name } } : {}), games, files };
  }

  async keep({ page, games, files }: Kept): Promise<void> {
    if (!this.database) return;
    if (!page && Object.keys({ ...games, ...files }).length === 0) return;
    const writing = this.database.transaction([GAMES, PAGES, FILES], "readwrite", { durability: "strict" });
    if (page) writing.objectStore(PAGES).put({ name: page.name, changed: Date.now() } satisfies Page, this.session);
    for (const [name, game] of Object.entries(games)) {
      if (game) writing.objectStore(GAMES).put(game, name);
      else writing.objectStore(GAMES).delete(name);
    }
    for (const [name, text] of Object.entries(files)) writing.objectStore(FILES).put(text, name);
    await new Promise<void>((resolve, reject) => {
      writing.oncomplete = () => resolve();
      writing.onerror = writing.onabort = () => reject(writing.error ?? new Error("the browser keeps nothing"));
    });
    for (const [name, text] of Object.entries(files)) this.others.postMessage({ name, text } satisfies Written);
  }

  /** Be told of files that other windows have written. */
  hear(take: (file: Written) => void): void {
    this.others.onmessage = ({ data }: MessageEvent<Written>) => take(data);
  }

  /** Forget windows that nobody has come back to for long. */
  private async forget(): Promise<void> {
    if (!this.database) return;
    const pages = this.database.transaction(PAGES, "readwrite").objectStore(PAGES);
    const [names, found] = await Promise.all([done(pages.getAllKeys()), done<Page[]>(pages.getAll())]);
    names.forEach((name, number) => {
      if ((found[number]?.changed ?? 0) < Date.now() - KEPT && name !== this.session) pages.delete(name);
    });
  }
}

async function opened(): Promise<IDBDatabase> {
  const request = indexedDB.open(DATABASE, VERSION);
  request.onupgradeneeded = ({ oldVersion }) => {
    if (oldVersion === 0) for (const store of [GAMES, PAGES, FILES]) request.result.createObjectStore(store);
    else if (request.transaction) takeOver(request.transaction);
  };
  return done(request);
}

/** A game as version 1 has kept it: without what lists say of it. */
interface OldGame {
  ruleset: string;
  kinds: string[];
}

/** In version 1 games had the names that players gave them, and windows had games of their own. */
function takeOver(upgrade: IDBTransaction): void {
  const [games, pages] = [upgrade.objectStore(GAMES), upgrade.objectStore(PAGES)];
  const keep = (game: OldGame, label: string, changed: number): string => {
    const { ruleset, kinds } = game;
    const people = kinds.map((kind, number) => ({ seat: `seat ${number + 1}`, name: "", kind, linked: false }));
    const rest = { title: ruleset, people, asks: [], over: false, answers: 0, picture: null };
    const name = crypto.randomUUID().replaceAll("-", "").slice(0, 10);
    games.put({ game, summary: { ruleset, label, changed: changed / 1000, ...rest } }, name);
    return name;
  };
  const all = (store: IDBObjectStore, take: (value: unknown, key: string) => void): void => {
    const [keys, values] = [store.getAllKeys(), store.getAll()];
    values.onsuccess = () => keys.result.forEach((key, number) => take(values.result[number], String(key)));
  };
  all(games, (game, label) => {
    games.delete(label);
    keep(game as OldGame, label, Date.now());
  });
  all(pages, (page, session) => {
    const { game, changed } = page as { game: OldGame; changed: number };
    pages.put({ name: keep(game, "", changed), changed } satisfies Page, session);
  });
}

/** All that lies in a store, by its names. */
async function named<T>(store: IDBObjectStore): Promise<Record<string, T>> {
  const [names, found] = await Promise.all([done(store.getAllKeys()), done<T[]>(store.getAll())]);
  return Object.fromEntries(names.map((name, number) => [String(name), found[number] as T]));
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser keeps nothing"));
  });
}
