/** The ruleset that a file belongs to, and the one that somebody means. */
import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import * as vscode from "vscode";

export const MANIFEST = "ruleset.json";
const NOWHERE = "**/{node_modules,.venv,.git}/**";
/** A manifest is this many folders above a file at most. */
const HEIGHT = 4;

/** The folder of the ruleset that a file or folder belongs to. */
export function rulesetOf(path: string): string | undefined {
  let folder = path;
  for (let height = 0; height < HEIGHT; height++, folder = dirname(folder)) {
    if (existsSync(join(folder, MANIFEST))) {
      return folder;
    }
  }
  return undefined;
}

/** The folders of all rulesets that are open. */
export async function allRulesets(): Promise<string[]> {
  const manifests = await vscode.workspace.findFiles(`**/${MANIFEST}`, NOWHERE);
  return manifests.map((manifest) => dirname(manifest.fsPath)).sort();
}

/** The ruleset of the active editor, or the only one, or the one that is picked. */
export async function pickRuleset(): Promise<string | undefined> {
  const active = vscode.window.activeTextEditor?.document.uri;
  const own = active?.scheme === "file" ? rulesetOf(active.fsPath) : undefined;
  if (own !== undefined) {
    return own;
  }
  const folders = await allRulesets();
  if (folders.length === 0) {
    void vscode.window.showInformationMessage("There is no ruleset here: no folder has a file ruleset.json.");
  }
  if (folders.length < 2) {
    return folders[0];
  }
  const items = folders.map((folder) => ({
    label: basename(folder),
    description: vscode.workspace.asRelativePath(folder),
    folder,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: "Which ruleset?" }))?.folder;
}
