/**
 * Compiles Python for exports: in a browser it takes longer to compile modules than to run them. Whoever exports may have
 * another version of Python; so it is done here, by the Python of the browser.
 *
 * Writes site/bytecode.zip, in which the code of a module has the hash of its source as its name.
 */
import { readFileSync, readdirSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { loadPyodide } from "pyodide";

const ROOT = fileURLToPath(new URL("../../../", import.meta.url));
const OWN = ["interpreter/rulewright", "tools/rulewright_tools"];
/** Libraries without which no game begins, and those of the language server and of commands; the others are seldom asked for, and smaller as they are. */
const LIBRARIES = [
  "lark",
  "interegular",
  "platformdirs",
  "drawsvg",
  "attr",
  "attrs",
  "cattrs",
  "lsprotocol",
  "pygls",
  "typer",
  "rich",
  "hypothesis",
  "sortedcontainers",
];
const LEFT_OUT = new Set(["tests", "__pycache__", "node_modules", "site", "page"]);

function* sources(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !LEFT_OUT.has(entry.name)) yield* sources(path);
    else if (entry.name.endsWith(".py")) yield path;
  }
}

/** The folder of installed libraries, if there is an environment; without it they are compiled in the browser. */
function installed() {
  const versions = join(ROOT, ".venv/lib");
  const found = existsSync(versions) ? readdirSync(versions).map((one) => join(versions, one, "site-packages")) : [];
  return found.find((folder) => existsSync(folder));
}

const COMPILE = `
import hashlib, io, marshal, zipfile
from importlib._bootstrap_external import _code_to_hash_pyc

written = io.BytesIO()
packed = zipfile.ZipFile(written, "w", zipfile.ZIP_STORED)
seen = set()

def add(name, source):
    source = source.to_bytes()
    key = hashlib.sha256(source).hexdigest()
    if key not in seen:
        seen.add(key)
        code = compile(source, name, "exec", dont_inherit=True)
        packed.writestr(zipfile.ZipInfo(f"{key}.pyc"), bytes(_code_to_hash_pyc(code, bytes(8), checked=False)))

def done():
    packed.close()
    return written.getvalue()
`;

const python = await loadPyodide();
python.runPython(COMPILE);
const add = python.globals.get("add");
const site = installed();
const folders = OWN.map((folder) => join(ROOT, folder));
if (site) folders.push(...LIBRARIES.map((name) => join(site, name)).filter((folder) => existsSync(folder)));
for (const folder of folders) {
  for (const path of [...sources(folder)].sort()) {
    add(
      path.slice((folder.startsWith(ROOT + ".venv") ? site : join(folder, "..")).length + 1),
      new Uint8Array(readFileSync(path)),
    );
  }
}
const SITE = join(ROOT, "tools/rulewright_tools/studio/site");
writeFileSync(join(SITE, "bytecode.zip"), python.globals.get("done")().toJs());
