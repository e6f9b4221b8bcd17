/** Commands of the palette and of code lenses: each runs the command line in a terminal. */
import { statSync } from "node:fs";
import { dirname } from "node:path";
import * as vscode from "vscode";
import { pickRuleset, rulesetOf } from "./rulesets.js";
import { command } from "./settings.js";

/** The commands with their subcommands of `rulewright`, and the options that take the title that a code lens gives. */
const COMMANDS: Readonly<Record<string, readonly [string, string?]>> = {
  "rulewright.check": ["check"],
  "rulewright.test": ["test", "-k"],
  "rulewright.play": ["play", "--variant"],
  "rulewright.playScenario": ["play", "--scenario"],
  "rulewright.simulate": ["simulate", "--variant"],
  "rulewright.fuzz": ["fuzz", "--variant"],
  "rulewright.examine": ["examine", "--variant"],
  "rulewright.confirm": ["confirm", "--variant"],
};

/** Registers the commands. A code lens gives the ruleset, as a path or URI of something in it, and perhaps a title. */
export function registerCommands(): vscode.Disposable {
  const registered = Object.entries(COMMANDS).map(([id, [name, option]]) =>
    vscode.commands.registerCommand(id, async (target?: unknown, title?: unknown) => {
      const place = placeOf(target) ?? (await pickRuleset());
      if (place !== undefined) {
        const words = option !== undefined && typeof title === "string" ? [option, title] : [];
        await inTerminal(name, place, words);
      }
    }),
  );
  return vscode.Disposable.from(...registered);
}

/** The folder of the ruleset, or a file of variants that belongs to none. */
function placeOf(target: unknown): string | undefined {
  const uri = typeof target === "string" && target.startsWith("file:") ? vscode.Uri.parse(target) : target;
  const path = uri instanceof vscode.Uri ? uri.fsPath : uri;
  return typeof path === "string" ? (rulesetOf(path) ?? (isFile(path) ? path : undefined)) : undefined;
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}

/** A task starts the program without a shell, so no word needs quotes, and its terminal stays open. */
async function inTerminal(name: string, place: string, words: readonly string[]): Promise<void> {
  const folder = isFile(place) ? dirname(place) : place;
  const scope = vscode.workspace.getWorkspaceFolder(vscode.Uri.file(folder)) ?? vscode.TaskScope.Workspace;
  const execution = new vscode.ProcessExecution(command(), [name, place, ...words], { cwd: folder });
  const task = new vscode.Task({ type: "rulewright", command: name }, scope, name, "rulewright", execution, []);
  task.presentationOptions = { reveal: vscode.TaskRevealKind.Always, focus: ["play", "confirm"].includes(name), clear: true };
  await vscode.tasks.executeTask(task);
}
