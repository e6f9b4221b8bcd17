/** What somebody has chosen for all games in this browser, which keeps it. */
export class Preference<T extends string> {
  /** The choice; undefined as long as there was none. */
  private chosen = $state<T>();

  constructor(
    private readonly name: string,
    readonly choices: readonly T[],
  ) {
    const kept = localStorage.getItem(`rulewright.${name}`);
    this.chosen = choices.find((one) => one === kept);
  }

  get now(): T | undefined {
    return this.chosen;
  }

  set now(choice: T) {
    this.chosen = choice;
    localStorage.setItem(`rulewright.${this.name}`, choice);
  }
}

/** The colours of the page. */
export const theme = new Preference("theme", ["system", "light", "dark"]);
export const sound = new Preference("sound", ["on", "off"]);
export const motion = new Preference("motion", ["yes", "no"]);
/** Whether what designers use is in sight. */
export const designs = new Preference("designs", ["yes", "no"]);
/** Whether the only answer to a question is given by itself. */
export const forced = new Preference("forced", ["yes", "no"]);
