/** What the host keeps in the browser: the game of this window, and games that were saved by name. */

const DATABASE = "rulewright";
const GAMES = "games";
const PAGES = "pages";
/** Milliseconds for which the game of a window is kept that nobody has come back to. */
const KEPT = 30 * 24 * 3600 * 1000;

/** A game as the host has written it; nothing here reads it. */
type Saved = object;

export interface Kept {
  page?: Saved;
  games: Record<string, Saved>;
}

interface Page {
  game: Saved;
  changed: number;
}

export class Storage {
  private constructor(
    private readonly database: IDBDatabase,
    private readonly session: string,
  ) {}

  static async open(session: string): Promise<Storage> {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => {
      request.result.createObjectStore(GAMES);
      request.result.createObjectStore(PAGES);
    };
    const storage = new Storage(await done(request), session);
    await storage.forget();
    return storage;
  }

  async all(): Promise<Kept> {
    const reading = this.database.transaction([GAMES, PAGES]);
    const games = reading.objectStore(GAMES);
    const [page, names, saved] = await Promise.all([
      done<Page | undefined>(reading.objectStore(PAGES).get(this.session)),
      done(games.getAllKeys()),
      done<Saved[]>(games.getAll()),
    ]);
    const named = Object.fromEntries(names.map((name, number) => [String(name), saved[number] as Saved]));
    return page ? { page: page.game, games: named } : { games: named };
  }

  async keep({ page, games }: Kept): Promise<void> {
    if (!page && Object.keys(games).length === 0) return;
    const writing = this.database.transaction([GAMES, PAGES], "readwrite", { durability: "strict" });
    if (page) writing.objectStore(PAGES).put({ game: page, changed: Date.now() } satisfies Page, this.session);
    for (const [name, game] of Object.entries(games)) writing.objectStore(GAMES).put(game, name);
    await new Promise<void>((resolve, reject) => {
      writing.oncomplete = () => resolve();
      writing.onerror = writing.onabort = () => reject(writing.error ?? new Error("the browser keeps nothing"));
    });
  }

  /** Forget games of windows that nobody has come back to for long. */
  private async forget(): Promise<void> {
    const pages = this.database.transaction(PAGES, "readwrite").objectStore(PAGES);
    const [names, found] = await Promise.all([done(pages.getAllKeys()), done<Page[]>(pages.getAll())]);
    names.forEach((name, number) => {
      if ((found[number]?.changed ?? 0) < Date.now() - KEPT && name !== this.session) pages.delete(name);
    });
  }
}

function done<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error("the browser keeps nothing"));
  });
}
