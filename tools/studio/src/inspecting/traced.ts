/** The rulebook beside the rules: which statements are wanted, section by section. */
import type { TracedHeading } from "../protocol/messages";

export const WANTED = {
  all: "all statements",
  missing: "without a rule",
  used: "used in this game",
  unused: "not used in this game",
} as const;

export type Wanted = keyof typeof WANTED;

export interface Section {
  title: string;
  statements: TracedHeading[];
}

function isWanted(statement: TracedHeading, wanted: Wanted): boolean {
  switch (wanted) {
    case "all":
      return true;
    case "missing":
      return statement.status === "missing";
    case "used":
      return (statement.times ?? 0) > 0;
    case "unused":
      // Of rules whose uses are not counted, such as what is printed on a piece, nothing can be said.
      return statement.times === 0;
  }
}

/** The sections of the rulebook in their order, without those of which nothing is wanted. */
export function sections(statements: readonly TracedHeading[], wanted: Wanted): Section[] {
  const found: Section[] = [];
  for (const statement of statements.filter((one) => isWanted(one, wanted))) {
    const last = found.at(-1);
    if (last?.title === statement.section) last.statements.push(statement);
    else found.push({ title: statement.section, statements: [statement] });
  }
  return found;
}
