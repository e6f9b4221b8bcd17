/** What the host keeps in the browser: the game of this window, games that were saved by name, and the player's files. */

const DATABASE = "rulewright";
const GAMES = "games";
const PAGES = "pages";
const FILES = "files";
/** Milliseconds for which the game of a window is kept that nobody has come back to. */
const KEPT = 30 * 24 * 3600 * 1000;

/** A game as the host has written it; nothing here reads it. */
type Saved = object;

export interface Kept {
  page?: Saved;
  games: Record<string, Saved>;
  /** Texts of files with variants, by their names. */
  files: Record<string, string>;
}

interface Page {
  game: Saved;
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
    return { ...(page ? { page: page.game } : {}), games, files };
  }

  async keep({ page, games, files }: Kept): Promise<void> {
    if (!this.database) return;
    if (!page && Object.keys({ ...games, ...files }).length === 0) return;
    const writing = this.database.transaction([GAMES, PAGES, FILES], "readwrite", { durability: "strict" });
    if (page) writing.objectStore(PAGES).put({ game: page, changed: Date.now() } satisfies Page, this.session);
    for (const [name, game] of Object.entries(games)) writing.objectStore(GAMES).put(game, name);
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

  /** Forget games of windows that nobody has come back to for long. */
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
  const request = indexedDB.open(DATABASE, 1);
  request.onupgradeneeded = () => {
    for (const store of [GAMES, PAGES, FILES]) request.result.createObjectStore(store);
  };
  return done(request);
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
