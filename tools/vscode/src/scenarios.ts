/** Scenarios: where they stand in a file, and what `rulewright test` says of them. */
import { resolve } from "node:path";

/** The head of a scenario. */
export interface Head {
  readonly title: string;
  /** From 0. */
  readonly line: number;
}

/** Schema: test-report.schema.json. */
export interface Report {
  readonly rulesets: readonly { readonly ruleset: string; readonly scenarios: readonly Outcome[] }[];
}

export interface Outcome {
  readonly title: string;
  readonly file: string;
  /** From 1. */
  readonly line: number;
  readonly passed: boolean;
  readonly failure?: Failure;
}

export interface Failure {
  readonly file: string;
  readonly line: number;
  readonly text: string;
  readonly message: string;
  readonly expected: string;
  readonly found: string;
  readonly rule: string;
  readonly log: readonly string[];
}

const HEAD = /^[ ]*(?:add +)?scenario +"([^"]*)"/;

/** The scenarios of a text, in its order. */
export function heads(text: string): Head[] {
  return text.split("\n").flatMap((content, line) => {
    const title = HEAD.exec(content)?.[1];
    return title === undefined ? [] : [{ title, line }];
  });
}

/** The words that run scenarios of a ruleset: all of them, or those with this in the title. */
export function testWords(folder: string, title?: string): string[] {
  return ["test", folder, "--format", "json", ...(title === undefined ? [] : ["-k", title])];
}

/** The outcomes of a report by file and title; scenarios with one title in one file keep their order. */
export function outcomes(report: Report, cwd: string): Map<string, Outcome[]> {
  const found = new Map<string, Outcome[]>();
  for (const outcome of report.rulesets.flatMap((ruleset) => ruleset.scenarios)) {
    const key = keyOf(resolve(cwd, outcome.file), outcome.title);
    found.set(key, [...(found.get(key) ?? []), outcome]);
  }
  return found;
}

export function keyOf(file: string, title: string): string {
  return `${file}\n${title}`;
}

/** A failure in words. */
export function told(failure: Failure): string {
  const lines = [failure.message];
  if (failure.rule) {
    lines.push(`in the rule ${failure.rule}`);
  }
  if (failure.log.length > 0) {
    lines.push("", "up to there:", ...failure.log.map((entry) => `  ${entry}`));
  }
  return lines.join("\n");
}
