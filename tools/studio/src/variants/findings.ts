/** What an experiment has found, in the words for players that its command prints. */
export interface Finding {
  text: string;
  sure: boolean;
}

const LINE = /^(?<head>Sure|Not sure): (?<text>.*)\.$|^(?<none>No difference is sure.*)$/gm;

/** What is sure, each in a sentence, then what is not: a line names several of these. */
export function findings(text: string): Finding[] {
  return [...text.matchAll(LINE)].flatMap(({ groups = {} }) => {
    const { head, text: told = "", none } = groups;
    if (none !== undefined) return [{ text: none, sure: false }];
    return (head === "Sure" ? [told] : told.split("; ")).map((one) => ({ text: one, sure: head === "Sure" }));
  });
}
