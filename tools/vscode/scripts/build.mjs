// Bundles the extension and its tests, and copies what the package needs from the top of the repository.
import { copyFile, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(dirname(fileURLToPath(import.meta.url)));
const top = join(here, "..", "..");

await rm(join(here, "dist"), { recursive: true, force: true });
await mkdir(join(here, "schemas"), { recursive: true });
for (const name of ["ruleset", "rulebook", "rulings", "map", "table"]) {
  await copyFile(join(top, "schemas", `${name}.schema.json`), join(here, "schemas", `${name}.schema.json`));
}
await copyFile(join(top, "LICENSE"), join(here, "LICENSE"));

const common = {
  bundle: true,
  platform: "node",
  target: "node20",
  format: "cjs",
  absWorkingDir: here,
  logLevel: "info",
};
await build({ ...common, entryPoints: ["src/extension.ts"], outdir: "dist", external: ["vscode"], minify: true });
const tests = (await readdir(join(here, "test"))).filter((name) => name.endsWith(".test.ts"));
await build({
  ...common,
  entryPoints: tests.map((name) => `test/${name}`),
  outdir: "dist/test",
  external: ["vscode", "vscode-json-languageservice"],
});
