import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve, sep } from "node:path";
import { test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { getLanguageService, TextDocument } from "vscode-json-languageservice";

// The tests run from dist/test of the extension.
const EXTENSION = resolve(__dirname, "..", "..");
const RULESETS = resolve(EXTENSION, "..", "..", "rulesets");

interface Validation {
  readonly fileMatch: string | string[];
  readonly url: string;
}

/** The findings of the editor's own JSON service, with the schemas of package.json. */
async function findings(path: string, text: string): Promise<string[]> {
  const manifest = JSON.parse(readFileSync(join(EXTENSION, "package.json"), "utf8")) as {
    contributes: { jsonValidation: Validation[] };
  };
  const service = getLanguageService({
    schemaRequestService: (uri) => readFile(fileURLToPath(uri), "utf8"),
    workspaceContext: { resolveRelativePath: (path, from) => new URL(path, from).href },
  });
  service.configure({
    schemas: manifest.contributes.jsonValidation.map(({ fileMatch, url }) => ({
      fileMatch: [fileMatch].flat(),
      uri: pathToFileURL(join(EXTENSION, url)).href,
    })),
  });
  const document = TextDocument.create(pathToFileURL(path).href, "json", 1, text);
  const found = await service.doValidation(document, service.parseJSONDocument(document));
  return found.map((each) => (typeof each.message === "string" ? each.message : each.message.value));
}

/** Without the address of a schema in the file itself, so that those of the extension count. */
function bare(path: string): string {
  return readFileSync(path, "utf8").replace(/^ *"\$schema": *"[^"]*",?$/m, "");
}

test("the data of the shipped rulesets is right", async () => {
  const files = readdirSync(RULESETS, { recursive: true, encoding: "utf8" })
    .filter((name) => name.split(sep).length === 2 && name.endsWith(".json"))
    .map((name) => join(RULESETS, name));
  assert.ok(files.length > 20);
  for (const file of files) {
    assert.deepEqual(await findings(file, bare(file)), [], file);
  }
});

test("what is wrong is found in each kind of file", async () => {
  for (const [name, text] of [
    ["ruleset.json", '{"name": 3}'],
    ["rulebook.json", '{"statements": 3}'],
    ["rulings.json", '{"rulings": 3}'],
    ["pieces.json", '{"pebbles": 3}'],
    ["land.json", '{"shape": "no such shape"}'],
  ] as const) {
    assert.notDeepEqual(await findings(join(RULESETS, "pond", name), text), [], name);
  }
});

test("other JSON is left alone", async () => {
  assert.deepEqual(await findings(join(EXTENSION, "package.json"), '{"pebbles": 3}'), []);
});
