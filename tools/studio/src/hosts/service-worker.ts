/**
 * Keeps the files of the site, so that it opens without a network after the first visit.
 *
 * Files of one export belong together. They are kept together, and a new export takes the place of the old one when no
 * page of that is open any more. The export writes the list of its files before this script.
 *
 * It adds headers that hosts of files often do not send: with them page and worker may share memory, and the worker has
 * the page's content security policy, too.
 */

interface Exported {
  version: string;
  files: string[];
}

interface Extendable extends Event {
  waitUntil(done: Promise<unknown>): void;
}

interface Fetching extends Extendable {
  request: Request;
  respondWith(response: Promise<Response>): void;
}

interface Scope {
  EXPORTED: Exported;
  POLICY: string;
  registration: { scope: string };
  clients: { claim(): Promise<void> };
  addEventListener(kind: "install" | "activate", listener: (event: Extendable) => void): void;
  addEventListener(kind: "fetch", listener: (event: Fetching) => void): void;
}

const scope = self as unknown as Scope;
const root = scope.registration.scope;
const prefix = `rulewright ${root} `;
const name = prefix + scope.EXPORTED.version;
const known = new Set(scope.EXPORTED.files.map((file) => new URL(file, root).href));

scope.addEventListener("install", (event) => event.waitUntil(keep()));
scope.addEventListener("activate", (event) => event.waitUntil(forget().then(() => scope.clients.claim())));
scope.addEventListener("fetch", (event) => {
  const address = new URL(event.request.url);
  address.hash = address.search = "";
  const file = address.href === root ? new URL("index.html", root).href : address.href;
  if (event.request.method === "GET" && known.has(file)) event.respondWith(kept(file));
});

/** Files are kept with their headers: of responses that are handed out as they are, browsers keep compiled code, too. */
async function keep(): Promise<void> {
  const cache = await caches.open(name);
  await Promise.all([...known].map(async (file) => cache.put(file, await loaded(file))));
}

async function forget(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((other) => other.startsWith(prefix) && other !== name).map((old) => caches.delete(old)),
  );
}

async function kept(file: string): Promise<Response> {
  return (await (await caches.open(name)).match(file)) ?? (await loaded(file));
}

async function loaded(file: string): Promise<Response> {
  const found = await fetch(file, { cache: "no-cache" });
  if (!found.ok) throw new Error(`${file} cannot be loaded (${found.status})`);
  const headers = new Headers(found.headers);
  headers.set("Content-Security-Policy", scope.POLICY);
  headers.set("Cross-Origin-Embedder-Policy", "require-corp");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  headers.set("Cross-Origin-Resource-Policy", "same-origin");
  return new Response(found.body, { status: found.status, statusText: found.statusText, headers });
}

export {};
