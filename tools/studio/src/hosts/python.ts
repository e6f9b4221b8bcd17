/** Python in a worker: Pyodide, with Rulewright and the rulesets of the export. */
import type { PyodideInterface } from "pyodide";

const ARCHIVE = "rulewright.zip";
export const FOLDER = "/rulewright";

/** Python with the modules of the host, and those of other archives of the export. */
export async function pythonOf(base: string, additions: readonly string[] = []): Promise<PyodideInterface> {
  const snapshot = unpacked(new URL("snapshot.bin", base));
  const [python, memory, ...archives] = await Promise.all([
    started(new URL("pyodide/", base), snapshot),
    snapshot,
    ...[ARCHIVE, ...additions].map((name) => fetched(new URL(name, base)).then((found) => found.arrayBuffer())),
  ]);
  for (const archive of archives) python.unpackArchive(archive, "zip", { extractDir: FOLDER });
  if (memory.length > 0) {
    python.pyimport("importlib").invalidate_caches(); // of folders as they were
    python.pyimport("random").seed();
  } else {
    const path = python.pyimport("sys").path;
    path.insert(0, FOLDER);
    path.append(`${FOLDER}/libraries.zip`);
  }
  return python;
}

type Settings = { createPyodideModule?: (settings: object) => Promise<{ growMemory(size: number): void }> };

/** Python as it was when the page was built, with the modules of the host; from its start if the memory is empty. */
async function started(folder: URL, snapshot: Promise<Uint8Array>): Promise<PyodideInterface> {
  const [{ loadPyodide }, { default: create }, memory] = await Promise.all([
    import(/* @vite-ignore */ new URL("pyodide.js", folder).href) as Promise<typeof import("pyodide")>,
    import(/* @vite-ignore */ new URL("pyodide.asm.js", folder).href) as Promise<{
      default: NonNullable<Settings["createPyodideModule"]>;
    }>,
    snapshot,
  ]);
  const createPyodideModule: typeof create = async (settings) => {
    const made = await create(settings);
    made.growMemory(memory.length); // it is exported, so that its first size is always the smallest one
    return made;
  };
  // There is no folder for things that can be made again: it would not outlive this worker.
  const settings = { indexURL: folder.href, env: { HOME: "/home/pyodide", RULEWRIGHT_CACHE: "" } };
  const known = memory.length > 0 ? { _loadSnapshot: memory, createPyodideModule } : {};
  return loadPyodide({ ...settings, ...known } as Parameters<typeof loadPyodide>[0]);
}

async function unpacked(address: URL): Promise<Uint8Array> {
  const packed = await fetched(address);
  const stream = packed.body?.pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream ?? null).arrayBuffer());
}

async function fetched(address: URL): Promise<Response> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.pathname} cannot be loaded (${response.status})`);
  return response;
}
