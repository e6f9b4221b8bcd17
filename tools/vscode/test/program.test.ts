import assert from "node:assert/strict";
import { homedir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { MissingProgram, resolveCommand, run } from "../src/program.js";

test("a setting is a name, or a path that may begin at the open folder", () => {
  assert.equal(resolveCommand("rulewright", "/games"), "rulewright");
  assert.equal(resolveCommand(" ", "/games"), "rulewright");
  assert.equal(resolveCommand(".venv/bin/rulewright", "/games"), join("/games", ".venv/bin/rulewright"));
  assert.equal(resolveCommand("/opt/rulewright", "/games"), "/opt/rulewright");
  assert.equal(resolveCommand("~/bin/rulewright", undefined), join(homedir(), "bin/rulewright"));
});

test("a program that is missing is told with the way to install it", async () => {
  await assert.rejects(run("no-such-rulewright", [], "."), (error: Error) => {
    assert.ok(error instanceof MissingProgram);
    assert.match(error.message, /`no-such-rulewright`.*pip install 'rulewright\[all\]'.*rulewright\.command/);
    return true;
  });
});

test("a finished process gives both streams and its exit code", async () => {
  const done = await run(process.execPath, ["-e", "console.log('ä'); console.error('e'); process.exit(3)"], ".");
  assert.deepEqual(done, { code: 3, stdout: "ä\n", stderr: "e\n" });
});

test("an aborted run ends at once", async () => {
  const abort = new AbortController();
  const done = run(process.execPath, ["-e", "setTimeout(() => {}, 60000)"], ".", abort.signal);
  setTimeout(() => {
    abort.abort();
  }, 50);
  assert.equal((await done).code, null);
});
