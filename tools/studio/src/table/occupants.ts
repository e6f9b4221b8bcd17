/** Who may sit at a seat, as pages offer it. The host knows more words: those of agents, behind *other*. */
export interface Choice {
  word: string;
  name: string;
}

export const PERSON: Choice = { word: "person", name: "person here" };
export const GUEST: Choice = { word: "link", name: "person by link" };
export const OPPONENTS: readonly Choice[] = [
  { word: "easy", name: "easy opponent" },
  { word: "middle", name: "middle opponent" },
  { word: "strong", name: "strong opponent" },
];

/** What is chosen for an agent by its word. */
export const OTHER = "other";

/** Agents that can be used as they are, and examples of those that need more. */
export const AGENTS: readonly string[] = ["mcts:2000", "mcts:200", "random", "first"];

/** A kind as people are told it: of an opponent how strong it is, and not by what. */
export function kindName(kind: string): string {
  return kind.replace(/ \(.*\)$/, "");
}
