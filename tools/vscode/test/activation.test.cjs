// The bundled extension, activated with a stub of the editor and a program that answers as `rulewright test` does.
const assert = require("node:assert/strict");
const { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } = require("node:fs");
const { tmpdir } = require("node:os");
const { join } = require("node:path");
const { test } = require("node:test");
const { install } = require("./vscode-stub.cjs");
const manifest = require("../package.json");

const REPORT = {
  scenarios: 2,
  failed: 1,
  rulesets: [
    {
      ruleset: "pond",
      scenarios: [
        { title: "one", file: "scenarios/a.rules", line: 1, cites: [], passed: true },
        {
          title: "two",
          file: "scenarios/a.rules",
          line: 4,
          cites: [],
          passed: false,
          failure: {
            file: "scenarios/a.rules",
            line: 6,
            text: "wins o",
            message: "others have won",
            expected: "o won",
            found: "x won",
            rule: "",
            log: [],
          },
        },
      ],
    },
  ],
};

async function until(condition) {
  for (let tries = 0; tries < 200 && !condition(); tries++) {
    await new Promise((done) => setTimeout(done, 10));
  }
  assert.ok(condition());
}

test(
  "the extension finds and runs scenarios, and runs commands",
  { skip: process.platform === "win32" && "the program is a script" },
  async (t) => {
    const root = mkdtempSync(join(tmpdir(), "rulewright-"));
    t.after(() => rmSync(root, { recursive: true }));
    const elsewhere = mkdtempSync(join(tmpdir(), "variants-"));
    t.after(() => rmSync(elsewhere, { recursive: true }));
    const lone = join(elsewhere, "greedy.rules");
    writeFileSync(lone, 'variant "Greedy" of pond\n');
    mkdirSync(join(root, "scenarios"));
    writeFileSync(join(root, "ruleset.json"), "{}");
    writeFileSync(
      join(root, "scenarios", "a.rules"),
      'scenario "one"\n    then 1 is 1\n\nscenario "two"\n    start play\n    wins o\n',
    );
    // The server is asked for, and ends at once; scenarios fail as the report says, with exit code 1.
    const program = join(root, "rulewright");
    const script = `if (process.argv[2] === "lsp") { console.error("no server here"); process.exit(2); }
console.log(${JSON.stringify(JSON.stringify(REPORT))}); process.exit(1);`;
    writeFileSync(program, `#!${process.execPath}\n${script}\n`);
    chmodSync(program, 0o755);

    const noted = install(root, program);
    const extension = require("../dist/extension.js");
    extension.activate({ subscriptions: [] });
    assert.deepEqual(
      Object.keys(noted.commands).sort(),
      manifest.contributes.commands.map(({ command }) => command).sort(),
    );

    await until(() => noted.controller.items.get(root)?.children.size === 1);
    const [[, file]] = noted.controller.items.get(root).children;
    assert.deepEqual(
      [...file.children].map(([, item]) => [item.label, item.range.start.line]),
      [
        ["one", 0],
        ["two", 3],
      ],
    );

    await noted.run({ include: undefined, exclude: undefined }, { onCancellationRequested() {} });
    const results = noted.results.filter(([outcome]) => outcome !== "started");
    assert.deepEqual(
      results.map(([outcome, label]) => [outcome, label]),
      [
        ["passed", "one"],
        ["failed", "two"],
      ],
    );
    const { expectedOutput, actualOutput, location } = results[1][2];
    assert.deepEqual([expectedOutput, actualOutput], ["o won", "x won"]);
    assert.deepEqual([location.uri.fsPath, location.range.line], [join(root, "scenarios", "a.rules"), 5]);

    await noted.commands["rulewright.test"](root, "one");
    await noted.commands["rulewright.play"](`file://${root}/scenarios/a.rules`, "Long war");
    await noted.commands["rulewright.playScenario"](root, "one");
    await noted.commands["rulewright.examine"](root, "Long war");
    await noted.commands["rulewright.confirm"](lone, "Greedy");
    await noted.commands["rulewright.check"]();
    assert.deepEqual(noted.tasks, [
      [program, "test", root, "-k", "one"],
      [program, "play", root, "--variant", "Long war"],
      [program, "play", root, "--scenario", "one"],
      [program, "examine", root, "--variant", "Long war"],
      [program, "confirm", lone, "--variant", "Greedy"],
      [program, "check", root],
    ]);

    await until(() => noted.messages.length > 0);
    assert.deepEqual(noted.messages, ["The language server did not start: no server here"]);
    await extension.deactivate();
  },
);
