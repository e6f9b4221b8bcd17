/**
 * Writes site/snapshot.bin, the memory of Python when it has imported the modules of the host, and into site/snapshot.of
 * the digest of the archive from which it has: an export of other modules has no use for it. Without an environment, in
 * which that archive is made, it is empty.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { loadPyodide } from "pyodide";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const SITE = join(ROOT, "tools/rulewright_tools/studio/site");
const PYTHON = join(ROOT, ".venv/bin/python");

const ARCHIVE = `
import sys
from pathlib import Path
from rulewright_tools.studio.export.archive import archive
sys.stdout.buffer.write(archive([], False, Path(sys.argv[1])))
`;

const IMPORT = `
import gc, random, sys
sys.path.insert(0, "/rulewright")
sys.path.append("/rulewright/libraries.zip")
import rulewright_tools.studio.browser
gc.collect()
`;

let [memory, digest] = [new Uint8Array(), ""];
if (existsSync(PYTHON)) {
  const archive = execFileSync(PYTHON, ["-c", ARCHIVE, SITE], { maxBuffer: 2 ** 28 });
  const python = await loadPyodide({ _makeSnapshot: true, env: { HOME: "/home/pyodide", RULEWRIGHT_CACHE: "" } });
  python.unpackArchive(new Uint8Array(archive), "zip", { extractDir: "/rulewright" });
  python.runPython(IMPORT);
  memory = python.makeMemorySnapshot();
  digest = createHash("sha256").update(archive).digest("hex");
}
writeFileSync(join(SITE, "snapshot.bin"), gzipSync(memory, { level: 9 }));
writeFileSync(join(SITE, "snapshot.of"), digest);
