/** The rulebook beside the rules: which statements are wanted, section by section. */
import type { TracedHeading } from "../protocol/messages";

interface Wish {
  title: string;
  holds: (statement: TracedHeading) => boolean;
}

export const WANTED = {
  all: { title: "all statements", holds: () => true },
  missing: { title: "without a rule", holds: ({ status }) => status === "missing" },
  used: { title: "used in this game", holds: ({ times }) => (times ?? 0) > 0 },
  // Of rules whose uses are not counted, such as what is printed on a piece, nothing can be said.
  unused: { title: "not used in this game", holds: ({ times }) => times === 0 },
} satisfies Record<string, Wish>;

export type Wanted = keyof typeof WANTED;

export interface Section {
  title: string;
  statements: TracedHeading[];
}

/** The sections of the rulebook in their order, without those of which nothing is wanted. */
export function sections(statements: readonly TracedHeading[], wanted: Wanted): Section[] {
  const found: Section[] = [];
  for (const statement of statements.filter(WANTED[wanted].holds)) {
    const last = found.at(-1);
    if (last?.title === statement.section) last.statements.push(statement);
    else found.push({ title: statement.section, statements: [statement] });
  }
  return found;
}
