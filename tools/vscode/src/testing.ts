/** The Testing view: rulesets, their files, and the scenarios in them. */
import { readFile } from "node:fs/promises";
import { basename, relative, resolve } from "node:path";
import * as vscode from "vscode";
import { run } from "./program.js";
import { allRulesets, MANIFEST, rulesetOf } from "./rulesets.js";
import { type Failure, heads, keyOf, type Outcome, outcomes, type Report, testWords, told } from "./scenarios.js";
import { command, showProblem } from "./settings.js";

/** Where a scenario stands; a title may occur several times in a file. */
interface Place {
  readonly folder: string;
  readonly file: string;
  readonly title: string;
  readonly nth: number;
}

export function registerTesting(): vscode.Disposable {
  const scenarios = new Scenarios();
  const rules = vscode.workspace.createFileSystemWatcher("**/*.rules");
  const manifests = vscode.workspace.createFileSystemWatcher(`**/${MANIFEST}`);
  const read = (uri: vscode.Uri): void => void scenarios.read(uri.fsPath);
  const discover = (): void => void scenarios.discover();
  discover();
  return vscode.Disposable.from(
    scenarios.controller,
    rules,
    manifests,
    rules.onDidCreate(read),
    rules.onDidChange(read),
    rules.onDidDelete((uri) => {
      scenarios.update(uri.fsPath, "");
    }),
    manifests.onDidCreate(discover),
    manifests.onDidDelete(discover),
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.languageId === "rulewright" && document.uri.scheme === "file") {
        scenarios.update(document.uri.fsPath, document.getText());
      }
    }),
  );
}

class Scenarios {
  readonly controller = vscode.tests.createTestController("rulewright", "Rulewright");
  private readonly places = new WeakMap<vscode.TestItem, Place>();

  constructor() {
    this.controller.refreshHandler = () => this.discover();
    this.controller.createRunProfile(
      "Run",
      vscode.TestRunProfileKind.Run,
      (request, token) => this.run(request, token),
      true,
    );
  }

  /** Finds all rulesets anew. */
  async discover(): Promise<void> {
    this.controller.items.replace([]);
    for (const folder of await allRulesets()) {
      const files = await vscode.workspace.findFiles(new vscode.RelativePattern(folder, "**/*.rules"));
      await Promise.all(files.map((file) => this.read(file.fsPath)));
    }
  }

  async read(file: string): Promise<void> {
    const open = vscode.workspace.textDocuments.find((document) => document.uri.fsPath === file);
    this.update(file, open?.getText() ?? (await readFile(file, "utf8").catch(() => "")));
  }

  /** Takes over the scenarios of a text. */
  update(file: string, text: string): void {
    const folder = rulesetOf(file);
    if (folder === undefined) {
      return;
    }
    const ruleset =
      this.controller.items.get(folder) ??
      this.controller.createTestItem(folder, basename(folder), vscode.Uri.file(folder));
    const uri = vscode.Uri.file(file);
    const seen = new Map<string, number>();
    const items = heads(text).map(({ title, line }) => {
      const nth = seen.get(title) ?? 0;
      seen.set(title, nth + 1);
      const item = this.controller.createTestItem(`${keyOf(file, title)}\n${nth}`, title, uri);
      item.range = new vscode.Range(line, 0, line, 0);
      this.places.set(item, { folder, file, title, nth });
      return item;
    });
    if (items.length === 0) {
      ruleset.children.delete(file);
    } else {
      const item = ruleset.children.get(file) ?? this.controller.createTestItem(file, relative(folder, file), uri);
      item.children.replace(items);
      ruleset.children.add(item);
    }
    if (ruleset.children.size === 0) {
      this.controller.items.delete(folder);
    } else {
      this.controller.items.add(ruleset);
    }
  }

  private async run(request: vscode.TestRunRequest, token: vscode.CancellationToken): Promise<void> {
    const wanted = request.include ?? [...this.controller.items].map(([, item]) => item);
    const byRuleset = new Map<string, Map<vscode.TestItem, Place>>();
    for (const item of wanted.flatMap((each) => this.leaves(each, request.exclude ?? []))) {
      const place = this.places.get(item);
      if (place !== undefined) {
        byRuleset.set(
          place.folder,
          (byRuleset.get(place.folder) ?? new Map<vscode.TestItem, Place>()).set(item, place),
        );
      }
    }
    const abort = new AbortController();
    token.onCancellationRequested(() => {
      abort.abort();
    });
    const testRun = this.controller.createTestRun(request);
    try {
      for (const [folder, items] of byRuleset) {
        if (!abort.signal.aborted) {
          await runRuleset(testRun, folder, items, abort.signal);
        }
      }
    } catch (error) {
      void showProblem(error);
    } finally {
      testRun.end();
    }
  }

  private leaves(item: vscode.TestItem, excluded: readonly vscode.TestItem[]): vscode.TestItem[] {
    if (excluded.includes(item)) {
      return [];
    }
    return this.places.has(item) ? [item] : [...item.children].flatMap(([, child]) => this.leaves(child, excluded));
  }
}

/** Runs scenarios of a ruleset: one alone by its title, several with all others of it. */
async function runRuleset(
  testRun: vscode.TestRun,
  folder: string,
  items: Map<vscode.TestItem, Place>,
  signal: AbortSignal,
): Promise<void> {
  for (const item of items.keys()) {
    testRun.started(item);
  }
  const [first, ...more] = items.values();
  const done = await run(command(), testWords(folder, more.length === 0 ? first?.title : undefined), folder, signal);
  if (signal.aborted) {
    return;
  }
  const found = reportOf(done.stdout);
  if (found === undefined) {
    const problem = new vscode.TestMessage(
      done.stderr.trim() || `rulewright test ended with exit code ${done.code ?? "?"}`,
    );
    for (const item of items.keys()) {
      testRun.errored(item, problem);
    }
    testRun.appendOutput(`${done.stderr}\n`.replace(/\r?\n/g, "\r\n"));
    return;
  }
  const all = outcomes(found, folder);
  for (const [item, place] of items) {
    tell(testRun, item, all.get(keyOf(place.file, place.title))?.[place.nth], folder);
  }
}

function tell(testRun: vscode.TestRun, item: vscode.TestItem, outcome: Outcome | undefined, folder: string): void {
  if (outcome === undefined) {
    testRun.errored(
      item,
      new vscode.TestMessage("This scenario was not run: is its file saved, and listed in ruleset.json?"),
    );
  } else if (outcome.failure === undefined) {
    testRun.passed(item);
  } else {
    testRun.failed(item, messageOf(outcome.failure, folder));
  }
}

function messageOf(failure: Failure, folder: string): vscode.TestMessage {
  const message =
    failure.expected || failure.found
      ? vscode.TestMessage.diff(told(failure), failure.expected, failure.found)
      : new vscode.TestMessage(told(failure));
  const line = Math.max(failure.line - 1, 0);
  message.location = new vscode.Location(vscode.Uri.file(resolve(folder, failure.file)), new vscode.Position(line, 0));
  return message;
}

function reportOf(stdout: string): Report | undefined {
  try {
    return JSON.parse(stdout) as Report;
  } catch {
    return undefined;
  }
}
