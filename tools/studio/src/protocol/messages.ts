// Made from schemas/studio.schema.json: `npm run protocol` writes it anew.

/**
 * Chosen by the page, and sent back with the response.
 */
export type Id = number | string;
export type JobKind = "test" | "examine" | "confirm" | "simulate" | "experiment" | "report" | "fuzz" | "solve";
/**
 * Parts of the board before that stay: the number of the first one, and how many.
 *
 * @minItems 2
 * @maxItems 2
 */
export type KeptParts = [number, number, ...number[]];

export interface Messages {
  methods: Methods;
  notifications: Notifications;
}
/**
 * The params and the result of each method.
 */
export interface Methods {
  hello: {
    params: {
      protocol: number;
    };
    result: Hello;
  };
  ruleset: {
    params: {
      ruleset: string;
    };
    result: Ruleset;
  };
  cancel: {
    /**
     * Stop a request, as a notification: the one that is carried out, or one that waits; without an id, whatever is carried out. An agent that thinks then answers with the best that it has found, and those after it wait.
     */
    params: {
      id?: Id;
    };
    result: Nothing;
  };
  "game/start": {
    params: {
      ruleset: string;
      players?: number;
      /**
       * Without them those that `ruleset` has as chosen.
       *
       * @maxItems 200
       */
      variants?: string[];
      options?: {
        [k: string]: string;
      };
      /**
       * Without one a seed is drawn.
       */
      seed?: number;
      /**
       * True: the seed of the game at which the page looks, which may be a secret.
       */
      keeps_seed?: boolean;
      /**
       * Who sits at each seat, in the words that `hello` lists; empty: one person against opponents of middle strength. `link` is a person who comes by a link, which is made at once.
       *
       * @maxItems 200
       */
      seats?: string[];
      /**
       * Whose eyes the page has: `auto` (the people who play), a seat, `public` or `all`.
       */
      viewer?: string;
    };
    result: {
      seats: string[];
    };
  };
  "game/answer": {
    params: {
      /**
       * The position that is answered: an answer to an earlier one is refused.
       */
      at: number;
      key: string;
    };
    result: Nothing;
  };
  "game/continue": {
    /**
     * Let agents play on, so many answers or until a person is asked.
     */
    params: {
      steps?: number;
    };
    result: {};
  };
  "game/undo": {
    params: {};
    result: Nothing;
  };
  "game/redo": {
    params: {};
    result: Nothing;
  };
  "game/goto": {
    params: {
      at: number;
    };
    result: Nothing;
  };
  "game/line": {
    params: {
      line: number;
    };
    result: Nothing;
  };
  "game/look": {
    /**
     * Whoever is asked sits at the page now.
     */
    params: {};
    result: Nothing;
  };
  "game/turn": {
    /**
     * Ask another one first of those who decide at once.
     */
    params: {
      seat: string;
    };
    result: Nothing;
  };
  "game/forced": {
    /**
     * Whether the only answer to a question that this page is asked is given by itself; not, if nothing is said.
     */
    params: {
      on?: boolean;
    };
    result: Nothing;
  };
  "game/whyNot": {
    /**
     * Why a key, or an element of the page, cannot be chosen.
     */
    params: {
      key?: string;
      thing?: string;
    };
    result: Refusal;
  };
  "game/hint": {
    params: {
      agent?: string;
    };
    result: {
      agent: string;
      answers: RatedAnswer[];
    };
  };
  "files/list": {
    /**
     * The files of a ruleset.
     */
    params: {
      ruleset: string;
    };
    result: Files;
  };
  "files/read": {
    params: {
      name: string;
    };
    result: File;
  };
  "files/write": {
    /**
     * Put a text into the place of the version that was read. If another is there, the error has the code 4, and text and version of what is there in its data.
     */
    params: {
      name: string;
      text: string;
      /**
       * That which was read; without it a new file is written.
       */
      version?: string;
    };
    result: File;
  };
  "files/newVariant": {
    /**
     * Begin a file with a variant of a ruleset.
     */
    params: {
      ruleset: string;
      name: string;
    };
    result: NewFile;
  };
  "files/takeVariant": {
    /**
     * Keep a variant that somebody else has written, unless it is there already. What it changes follows from its text.
     */
    params: {
      /**
       * What its file was called.
       */
      name: string;
      text: string;
    };
    result: NewFile;
  };
  "game/reload": {
    /**
     * Go on with the rules as they are in the files now, perhaps with other variants and parameters: the answers that were given are given again.
     */
    params: {
      /**
       * Without them those that the game has.
       *
       * @maxItems 200
       */
      variants?: string[];
      /**
       * Values of parameters; without them those that the game has.
       */
      options?: {
        [k: string]: string;
      };
    };
    result: Reloaded;
  };
  "rules/compare": {
    /**
     * What the rules of the game say differently, clause by clause.
     */
    params: {};
    result: Comparisons;
  };
  "jobs/start": {
    /**
     * Run a command beside the game; `jobs/changed` tells what comes of it.
     */
    params: {
      kind: JobKind;
      ruleset: string;
      /**
       * Of an experiment: the ruleset that it is compared with.
       */
      against?: string;
      games?: number;
      seconds?: number;
      players?: number;
      /**
       * @maxItems 200
       */
      variants?: string[];
      options?: {
        [k: string]: string;
      };
      /**
       * @maxItems 200
       */
      seats?: string[];
    };
    result: {
      id: number;
    };
  };
  "jobs/stop": {
    params: {
      id: number;
    };
    result: Nothing;
  };
  "jobs/list": {
    /**
     * All jobs of this page.
     */
    params: {};
    result: {
      jobs: Job[];
      /**
       * The jobs that there are, as a page offers them.
       */
      kinds: {
        kind: JobKind;
        title: string;
        about: string;
        /**
         * Params of jobs/start that this one has a use for.
         */
        takes: ("games" | "seconds" | "seats" | "against" | "players" | "variants" | "options")[];
      }[];
    };
  };
  "jobs/moments": {
    /**
     * The moments that a job has found, from a number on.
     */
    params: {
      job: number;
      from?: number;
    };
    result: {
      moments: Moment[];
    };
  };
  "jobs/keep": {
    /**
     * A moment is right: write it as a scenario.
     */
    params: {
      job: number;
      number: number;
    };
    result: {
      file: string;
      line: number;
    };
  };
  "jobs/write": {
    /**
     * Something else was meant in a moment: write the clause that does it, and run the command of the job anew.
     */
    params: {
      job: number;
      number: number;
      choice: number;
    };
    result: {
      file: string;
      line: number;
      id: number;
    };
  };
  "inspect/state": {
    params: {
      scope?: "own" | "all";
    };
    result: Inspected;
  };
  "inspect/plan": {
    params: {
      rule?: string;
      /**
       * Compile the rules and play games at random, which may take seconds.
       */
      costs?: boolean;
    };
    result: Plan;
  };
  "inspect/trace": {
    params: {};
    result: Trace;
  };
  "inspect/statements": {
    /**
     * The statements of a section, as the trace names it.
     */
    params: {
      section: string;
    };
    result: {
      statements: TracedStatement[];
    };
  };
  "scenarios/propose": {
    /**
     * Propose what has led to the position that is looked at as a scenario.
     */
    params: {
      /**
       * The position from which it is told; without it the start of the game.
       */
      from?: number;
    };
    result: Proposal;
  };
  "scenarios/text": {
    /**
     * The text that `scenarios/keep` would write.
     */
    params: {
      /**
       * The position from which it is told; without it the start of the game.
       */
      from?: number;
      title: string;
      /**
       * The numbers of the lines that may be left out and are wanted.
       *
       * @maxItems 5000
       */
      lines?: number[];
    };
    result: {
      text: string;
    };
  };
  "scenarios/keep": {
    /**
     * Write the scenario at the end of a file of the ruleset, and run it.
     */
    params: {
      /**
       * The position from which it is told; without it the start of the game.
       */
      from?: number;
      title: string;
      /**
       * The numbers of the lines that may be left out and are wanted.
       *
       * @maxItems 5000
       */
      lines?: number[];
      file: string;
    };
    result: Kept;
  };
  "game/show": {
    /**
     * Show the position again, and all of it.
     */
    params: {};
    result: Nothing;
  };
  "game/open": {
    /**
     * Begin a game in the middle: with a scenario up to one of its lines, of a file or as a text, or with a file that holds a save or a log. It can be played on from there, and gone back in.
     */
    params: {
      /**
       * A file with rules, or one that holds a game.
       */
      file?: string;
      /**
       * A line of the scenario, up to which it is played; its first one, or none: as far as it goes.
       */
      line?: number;
      /**
       * A scenario, in the place of a file.
       */
      text?: string;
      /**
       * Goes with `text`.
       */
      ruleset?: string;
      /**
       * Who sits at each seat; without it persons.
       *
       * @maxItems 200
       */
      seats?: string[];
      /**
       * Whose eyes the page has: `auto` (the people who play), a seat, `public` or `all`.
       */
      viewer?: string;
    };
    result: {
      failure: null | {
        message: string;
        line: number;
        /**
         * The line, as it stands in the file.
         */
        text: string;
        expected: string;
        found: string;
      };
    };
  };
  "jobs/curves": {
    /**
     * The curves that a job has drawn so far.
     */
    params: {
      job: number;
    };
    result: {
      drawn: Curves | null;
    };
  };
  "games/list": {
    params: {};
    result: {
      /**
       * The last changed first.
       */
      games: ListedGame[];
    };
  };
  "games/open": {
    params: {
      game: string;
    };
    result: Nothing;
  };
  "games/delete": {
    params: {
      game: string;
    };
    result: Nothing;
  };
  "games/copy": {
    params: {
      label: string;
    };
    result: {
      game: string;
    };
  };
  "table/links": {
    params: {};
    result: Links;
  };
  "table/invite": {
    params: {
      to: "seat" | "onlooker" | "host";
      seat?: string;
      /**
       * True: the old link ends, and there is a new one.
       */
      anew?: boolean;
    };
    result: Links;
  };
  "table/revoke": {
    params: {
      to: "seat" | "onlooker" | "host";
      seat?: string;
    };
    result: Links;
  };
  "table/settle": {
    params: {
      label?: string;
      free?: boolean;
      sees_all?: boolean;
      /**
       * @maxItems 12
       */
      questions?: string[];
    };
    result: Nothing;
  };
  "table/person": {
    params: {
      seat: string;
      name?: string;
      colour?: string;
    };
    result: Nothing;
  };
  "table/seat": {
    params: {
      seat: string;
      /**
       * `person`, a strength (`middle`, with its agent as soon as that is known: `middle (mcts:340)`), or the word of an agent.
       */
      kind: string;
    };
    result: Nothing;
  };
  "table/takeBack": {
    params: {
      at: number;
    };
    result: {
      /**
       * True if there was nobody to ask.
       */
      done: boolean;
    };
  };
  "table/agree": {
    params: {
      agrees: boolean;
      /**
       * The position that the page was shown in the request: an answer to another one is refused.
       */
      at: number;
    };
    result: Nothing;
  };
  "table/rematch": {
    params: {
      /**
       * False: everybody sits where they sat. Otherwise each sits at the next seat.
       */
      turned?: boolean;
    };
    result: {
      game: string;
    };
  };
  "table/feedback": {
    params: {
      /**
       * @maxItems 12
       */
      answers: number[];
      text: string;
    };
    result: Nothing;
  };
}
export interface Hello {
  protocol: 1;
  version: string;
  rulesets: {
    name: string;
    title: string;
    edition: string;
    about: string;
  }[];
  /**
   * The ruleset with which the studio was opened.
   */
  opens: string | null;
  /**
   * The address of a page without a server, to which links with variants lead; null if there is none.
   */
  export: string | null;
  /**
   * Words for whoever may sit at a seat.
   */
  players: string[];
  /**
   * The agent that gives hints if none is named.
   */
  adviser: string;
  /**
   * What the link of this page lets it do.
   */
  role: "owner" | "host" | "seat" | "onlooker";
  /**
   * The game at which this page is; null if none.
   */
  game: string | null;
}
export interface Ruleset {
  name: string;
  title: string;
  players: number[];
  seats: {
    [k: string]: string[];
  };
  variants: string[];
  /**
   * For each variant those that cannot be played with it, if there are any.
   */
  excludes: {
    [k: string]: string[];
  };
  /**
   * The variants of a game if nothing else is said.
   */
  chosen: string[];
  parameters: {
    name: string;
    value: string;
    /**
     * All values that it may have; empty: whatever the rules can make use of.
     */
    values: string[];
  }[];
  /**
   * As in diagnostics.schema.json.
   */
  findings: {
    [k: string]: unknown;
  };
}
export interface Nothing {}
export interface Refusal {
  key: string;
  allowed: boolean;
  reasons: {
    text: string;
    /**
     * `declaration.label` of the restriction.
     */
    label: string;
    cites: {
      id: string;
      statement: string;
    }[];
    rule: {
      file: string;
      line: number;
    } | null;
  }[];
}
export interface RatedAnswer {
  key: string;
  /**
   * To win, of whoever is asked; null: unknown.
   */
  chance: number | null;
  value: number;
  visits: number;
  certain: boolean;
  share: number;
}
/**
 * The files of a ruleset, those with rules first; each is named RULESET/WAY.
 */
export interface Files {
  names: string[];
  writable: boolean;
}
/**
 * A file.
 */
export interface File {
  name: string;
  text: string;
  /**
   * A digest of the text.
   */
  version: string;
  /**
   * False for rulesets that come with the library.
   */
  writable: boolean;
}
/**
 * A file with a variant that was made, and the name by which it is opened as a ruleset.
 */
export interface NewFile {
  ruleset: string;
  name: string;
  text: string;
  /**
   * A digest of the text.
   */
  version: string;
  /**
   * False for rulesets that come with the library.
   */
  writable: boolean;
}
/**
 * What has become of the game.
 */
export interface Reloaded {
  /**
   * True if it goes on at the same answer; else an answer that was given is refused by now, and the position before it is shown.
   */
  kept: boolean;
  /**
   * The number of the position that is shown.
   */
  at: number;
  /**
   * That of the position that was shown before.
   */
  of: number;
  /**
   * What is different, in words.
   */
  changes: string[];
}
export interface Comparisons {
  /**
   * The values of all parameters.
   */
  parameters: {
    [k: string]: string;
  };
  comparisons: Comparison[];
}
/**
 * One comparison.
 */
export interface Comparison {
  /**
   * `rules`: the rules without variants and parameters, or those that are extended; `opened`: the rules as they were when a game of them was first begun in this page.
   */
  against: "rules" | "opened";
  /**
   * Of all differences; only some are told if there are very many.
   */
  number: number;
  differences: Difference[];
  statements: {
    [k: string]: string;
  };
}
/**
 * A clause that both say differently.
 */
export interface Difference {
  kind: "added" | "removed" | "changed" | "moved" | "cited";
  /**
   * The clause, as overlays name it.
   */
  address: string;
  /**
   * What it means, where that can be said in a few words.
   */
  remark: string;
  lines: {
    /**
     * The old wording, the new one, or that of both.
     */
    sign: "-" | "+" | "~";
    words: {
      text: string;
      differs: boolean;
    }[];
    below: string[];
    cites: string[];
    /**
     * As `files/read` names it.
     */
    file: string | null;
    line: number;
  }[];
}
/**
 * A command that runs beside the game.
 */
export interface Job {
  id: number;
  /**
   * As it can be repeated in a terminal.
   */
  command: string;
  /**
   * By the name that the page knows.
   */
  ruleset: string;
  state: "waits" | "runs" | "done" | "stopped" | "failed";
  /**
   * The exit code of the command: 0 if nothing was found, 1 if something was, 2 if it could not be done.
   */
  code: number | null;
  progress: null | {
    what: string;
    done: number;
    total: number | null;
  };
  /**
   * Moments that it has found so far, see jobs/moments.
   */
  moments: number;
  /**
   * Pairs of games of which curves are drawn so far, see jobs/curves.
   */
  curves: number;
  /**
   * The state, or what was found, in words.
   */
  verdict: string;
  /**
   * Differences that an experiment has found, in words for players, those that are sure first.
   */
  findings: {
    sure: boolean;
    text: string;
  }[];
  /**
   * Scenarios in what it has printed, which game/open opens.
   */
  stories: {
    title: string;
    text: string;
  }[];
  /**
   * What it has printed: words, and places of files that the page may read.
   */
  pieces: {
    text: string;
    place: null | {
      file: string;
      line: number;
      /**
       * True if it is a line of a scenario, which game/open opens.
       */
      opens: boolean;
    };
  }[];
  kind: JobKind;
}
/**
 * A position, what happens in it, and what else might have been meant.
 */
export interface Moment {
  rule: string;
  clause: string;
  /**
   * The comment of its author.
   */
  comment: string[];
  /**
   * Statements of the rulebook that it cites.
   */
  statements: {
    id: string;
    text: string;
  }[];
  /**
   * Null if the page may not read it.
   */
  file: string | null;
  line: number;
  /**
   * The differences from how a game begins.
   */
  position: string[];
  /**
   * The course of it.
   */
  events: string[];
  /**
   * What is counted at its end.
   */
  measures: string[];
  /**
   * What stays as it is.
   */
  unchanged: string[];
  /**
   * The question at its end; empty if there is none.
   */
  question: string;
  /**
   * True if the game is over then.
   */
  over: boolean;
  /**
   * Other outcomes, each with the clause that has it; an empty clause: without it.
   */
  choices: {
    clause: string;
    instead: string[];
  }[];
  /**
   * True if a scenario can express it.
   */
  keeps: boolean;
  /**
   * Pictures of the position before and after, as SVG; one if they are the same.
   *
   * @maxItems 2
   */
  boards: string[];
}
/**
 * What lies under a position, as the viewer may see it, or all of it.
 */
export interface Inspected {
  at: number;
  scope: "own" | "all";
  seat: string | null;
  /**
   * True if something of the position is hidden from the viewer.
   */
  hides: boolean;
  /**
   * True if the page may ask for all of it: there are no other people to hide it from.
   */
  may_see_all: boolean;
  /**
   * The view of the position, see view.schema.json.
   */
  state: {
    [k: string]: unknown;
  };
  /**
   * The rule that asks.
   */
  asking: RulePlace | null;
  /**
   * False if only questions are counted of which the viewer has heard.
   */
  complete: boolean;
  used: UsedRule[];
  statements: {
    [k: string]: string;
  };
}
/**
 * A rule, its line, and the statements that it cites.
 */
export interface RulePlace {
  rule: string;
  /**
   * The file by the name that pages know it by; null if they may not read it.
   */
  file: string | null;
  line: number;
  cites: string[];
}
/**
 * A rule that the game has used.
 */
export interface UsedRule {
  rule: string;
  /**
   * The file by the name that pages know it by; null if they may not read it.
   */
  file: string | null;
  line: number;
  cites: string[];
  times: number;
  /**
   * How often in the step that has led to the position.
   */
  latest: number;
}
/**
 * The plan of a rule, and what the rules cost in games at random, once these were played.
 */
export interface Plan {
  /**
   * True if the rules were compiled and games were played: else there are no costs.
   */
  counted: boolean;
  games: number;
  instructions: number;
  rules: string[];
  costs: Cost[];
  rule: RulePlan | null;
}
/**
 * The work of a rule in games at random.
 */
export interface Cost {
  rule: string;
  /**
   * The file by the name that pages know it by; null if they may not read it.
   */
  file: string | null;
  line: number;
  instructions: number;
  times: number;
  share: number;
}
/**
 * How a rule is carried out.
 */
export interface RulePlan {
  rule: string;
  word: string;
  /**
   * The file by the name that pages know it by; null if they may not read it.
   */
  file: string | null;
  line: number;
  reads: string[];
  writes: string[];
  asks: string[];
  calls: string[];
  wakes: Waking[];
  woken: Waking[];
  /**
   * The number of answers that are kept; null if none are.
   */
  kept: number | null;
  passes: {
    name: string;
    times: number;
  }[];
  costs: Cost[];
}
/**
 * Statements of a rule after which ends and consequences are looked for.
 */
export interface Waking {
  rule: string;
  writes: string[];
  asked: string[];
}
/**
 * The rulebook beside the rules that cite it: the headings of its statements.
 */
export interface Trace {
  title: string;
  percent: number;
  covered: number;
  applicable: number;
  /**
   * False if only questions are counted of which the viewer has heard.
   */
  complete: boolean;
  statements: TracedHeading[];
  uncited: {
    rule: string;
    word: string;
    /**
     * The file by the name that pages know it by; null if they may not read it.
     */
    file: string | null;
    line: number;
  }[];
}
/**
 * A statement of the rulebook, without its text and the rules that cite it.
 */
export interface TracedHeading {
  id: string;
  section: string;
  status: "covered" | "missing" | "repeat" | "not applicable" | "not normative";
  /**
   * How often this game has used the rules that cite it; null if nobody counts the uses of any.
   */
  times: number | null;
}
/**
 * A statement of the rulebook, and what stands for it.
 */
export interface TracedStatement {
  id: string;
  section: string;
  text: string;
  status: "covered" | "missing" | "repeat" | "not applicable" | "not normative";
  note: string;
  rules: {
    rule: string;
    /**
     * The file by the name that pages know it by; null if they may not read it.
     */
    file: string | null;
    line: number;
    /**
     * How often this game has used the rule; null if its uses are not counted.
     */
    times: number | null;
  }[];
  scenarios: {
    rule: string;
    /**
     * The file by the name that pages know it by; null if they may not read it.
     */
    file: string | null;
    line: number;
  }[];
}
export interface Proposal {
  /**
   * The position from which it is told: the one that was asked for, or the last one before it with which a scenario can begin.
   */
  from: number;
  title: string;
  /**
   * The reason why it fails, if an invariant or property is broken in it; else empty.
   */
  trouble: string;
  lines: {
    text: string;
    /**
     * Of a line that may be left out.
     */
    number: number | null;
    proposed: boolean;
  }[];
  /**
   * The files in which it can be kept; none for a ruleset that comes with Rulewright.
   */
  files: string[];
}
export interface Kept {
  file: string;
  /**
   * The first line of the scenario.
   */
  line: number;
  failure: null | {
    message: string;
    line: number;
    /**
     * The line, as it stands in the file.
     */
    text: string;
    expected: string;
    found: string;
  };
}
/**
 * What players have in the course of a game, of two versions or one.
 */
export interface Curves {
  arms: string[];
  games: number;
  of: number;
  curves: {
    name: string;
    lines: number[][];
  }[];
  differences: {
    name: string;
    means: number[];
    sure: boolean;
    /**
     * The smallest difference that would be seen.
     */
    seen: number | null;
  }[];
}
export interface ListedGame {
  game: string;
  ruleset: string;
  /**
   * The title of the rules.
   */
  title: string;
  /**
   * The name that people have given the game; empty if none.
   */
  label: string;
  people: {
    seat: string;
    name: string;
    kind: string;
    linked: boolean;
  }[];
  /**
   * The seats that are asked; none if the game is over.
   */
  asks: string[];
  over: boolean;
  /**
   * The number of answers of players.
   */
  answers: number;
  /**
   * Seconds since 1970.
   */
  changed: number;
  /**
   * The board as all may see it, as SVG; null if it has none.
   */
  picture: string | null;
}
export interface Links {
  game: string;
  links: Link[];
}
/**
 * A link that opens one game and nothing else.
 */
export interface Link {
  to: "seat" | "onlooker" | "host";
  /**
   * The seat, if it is a link for one.
   */
  seat: string | null;
  /**
   * The secret: the address is `game/NAME#key=KEY`.
   */
  key: string;
}
/**
 * The params of each notification.
 */
export interface Notifications {
  "game/shown": Shown;
  "game/thinking": Thinking;
  /**
   * Agents could not play on.
   */
  "game/stopped": {
    error: Error;
  };
  "jobs/changed": {
    job: Job;
  };
  "table/changed": Table;
  "table/moved": {
    game: string;
    /**
     * The secret of this page's link to the new game; null for the owner.
     */
    key: string | null;
  };
}
/**
 * A position of the game, made for one viewer: all that the page knows of it.
 */
export interface Shown {
  ruleset: string;
  title: string;
  variants: string[];
  /**
   * Values of parameters that were asked for.
   */
  options: {
    [k: string]: string;
  };
  seats: {
    seat: string;
    kind: string;
  }[];
  viewer: {
    word: string;
    /**
     * The seat with whose eyes this is seen; null: what all may know, or everything.
     */
    seat: string | null;
  };
  /**
   * The number of the position that is shown; only those count that look different to this viewer.
   */
  at: number;
  last: number;
  /**
   * The position in which this viewer was asked before, or the one before this: what has happened since is news.
   */
  since: number;
  can_undo: boolean;
  /**
   * Null as long as it would give away what this viewer may not know.
   */
  seed: number | null;
  /**
   * The board, in parts: those that the page has already are not sent again.
   */
  board: {
    /**
     * Boards that were sent to this page, with this one.
     */
    number: number;
    /**
     * The number of the board of which parts stay, always the one before; null if there are none. A page that does not have it asks for all of it (game/show).
     */
    base: number | null;
    /**
     * SVG with a group for each layer, which is empty; nothing if the game has no map.
     */
    frame: string;
    /**
     * The map, its legend, and the elements over all things, in the order of these.
     */
    layers: (string | KeptParts)[][];
    things: (Thing | KeptParts)[];
  };
  /**
   * The places and edges that have changed since then, by their ids.
   */
  changed: string[];
  holders: Holder[];
  glyphs: {
    /**
     * A small picture of a piece as SVG.
     */
    [k: string]: string;
  };
  question: Question | null;
  log: {
    /**
     * The lines before this one stay as they were sent.
     */
    from: number;
    lines: Line[];
  };
  lines: LineOfPlay[];
  thought: Thought | null;
  /**
   * True if agents answer from here without being told to go on.
   */
  plays_on: boolean;
  statements: {
    /**
     * A statement of the rulebook.
     */
    [k: string]: string;
  };
  result: Result | null;
  /**
   * The scenario from which the game was opened; null if it has begun as the rules say.
   */
  opened: null | {
    title: string;
    /**
     * The procedure of the rules that it starts; empty if that is the whole game.
     */
    begins: string;
  };
  /**
   * The name of the game, as it stands in its address.
   */
  game: string;
  /**
   * Differences that another page has made by changing the rules in the middle, once; null if it has not.
   */
  changes: string[] | null;
}
export interface Thing {
  /**
   * Of the element over it in the picture.
   */
  id: string;
  kind: "place" | "edge" | "piece";
  name: string;
  /**
   * Of a piece the id of the place on which it lies.
   */
  place: string;
  /**
   * Of a piece what the viewer can tell it by, wherever it lies; empty if that is nothing.
   */
  key?: string;
  /**
   * Of pieces that look alike and lie together: how many there are.
   */
  count?: number;
}
/**
 * A seat, a party or the table, with what it has beside the board.
 */
export interface Holder {
  id: string;
  key: string;
  name: string;
  glyph: string;
  is_seat: boolean;
  asked: boolean;
  facts: {
    name: string;
    value: string;
  }[];
  piles: {
    name: string;
    more: string;
    pieces: {
      id: string;
      key: string;
      count: number;
      name: string;
      /**
       * What stands on it: its values and sentences.
       */
      printed: string;
      back: boolean;
      glyph: string;
    }[];
  }[];
}
export interface Question {
  who: string;
  text: string;
  rule: string;
  cites: string[];
  by_agent: boolean;
  /**
   * Somebody else sits down first: `game/look`.
   */
  covered: boolean;
  answerable: boolean;
  sort: "place" | "edge" | "piece" | "other";
  options: Option[];
  /**
   * Answers that stand for nothing on the board and are not offered; game/whyNot tells the reasons.
   */
  refused: {
    key: string;
    label: string;
  }[];
  /**
   * Parts of an answer that were given and may still be given otherwise, as nothing but the question has changed since; the last one first.
   */
  earlier: {
    /**
     * The position in which it was asked.
     */
    at: number;
    key: string;
    options: Option[];
  }[];
}
export interface Option {
  key: string;
  label: string;
  /**
   * A word such as `done`, and nothing that is chosen from.
   */
  word: boolean;
  /**
   * The ids of all elements that stand for it; none: it is offered beside the board.
   */
  things: string[];
}
export interface Line {
  text: string;
  kind: "answer" | "chance" | "shown" | "told" | "pieces" | "values" | "regions" | "players" | "end";
  cites: string[];
  /**
   * The position to which it has led.
   */
  at: number;
  /**
   * True for an answer beside which the rules left no other one.
   */
  forced?: boolean;
}
/**
 * A line of play that was left for another one.
 */
export interface LineOfPlay {
  line: number;
  /**
   * The last position that it has in common with the line that is shown.
   */
  at: number;
  who: string;
  /**
   * The answer that was given there.
   */
  label: string;
}
/**
 * What an agent has thought before it answered, the best answers first; only for those who may know it.
 */
export interface Thought {
  who: string;
  agent: string;
  /**
   * The simulations, or the positions of an exhaustive search.
   */
  looked: number;
  answers: {
    label: string;
    chance: number | null;
    visits: number;
  }[];
}
export interface Result {
  standings: {
    place: number;
    who: {
      name: string;
      values: string;
    }[];
  }[];
  how: string;
  rule: string;
}
/**
 * How far an agent is that thinks, and the best answers that it has found so far; only for those who may know it.
 */
export interface Thinking {
  who: string;
  agent: string;
  /**
   * The simulations, or the positions of an exhaustive search.
   */
  looked: number;
  answers: {
    label: string;
    chance: number | null;
    visits: number;
  }[];
  /**
   * The part of its effort that is spent.
   */
  part: number;
}
export interface Error {
  /**
   * Of JSON-RPC below zero; 1: the rules, with findings in `data`; 2: stopped or cancelled; 3: not in this position; 4: somebody else has changed the file, which is in `data` as it is now.
   */
  code: number;
  message: string;
  /**
   * As in diagnostics.schema.json, but of the code 4: text and version.
   */
  data?: {
    [k: string]: unknown;
  };
}
/**
 * A table: who sits there, and what was agreed.
 */
export interface Table {
  game: string;
  /**
   * The name that people have given the game; empty if none.
   */
  label: string;
  role: "owner" | "host" | "seat" | "onlooker";
  /**
   * The seats that this page plays.
   */
  seats: string[];
  people: Person[];
  /**
   * Pages that only look on.
   */
  onlookers: number;
  /**
   * True if one may answer anew in earlier positions without the others' consent.
   */
  free: boolean;
  /**
   * True if the host sees everything, or has seen it.
   */
  sees_all: boolean;
  /**
   * True if the host knows the seed: from it follows what is hidden and what chance will bring.
   */
  seed_known: boolean;
  take_back: null | {
    by: string;
    /**
     * The position, as this viewer counts, to which the game is to go back.
     */
    at: number;
    agreed: string[];
    /**
     * Seats that have not said yes.
     */
    waits_for: string[];
  };
  /**
   * Questions that players are asked about the game, each answered by 1 (no) to 5 (yes).
   */
  questions: string[];
  /**
   * True if this seat has given its feedback.
   */
  given: boolean;
}
export interface Person {
  seat: string;
  /**
   * The person's name; empty if none was given.
   */
  name: string;
  /**
   * As #rrggbb; empty: that of the ruleset.
   */
  colour: string;
  /**
   * `person`, a strength (`middle`, with its agent as soon as that is known: `middle (mcts:340)`), or the word of an agent.
   */
  kind: string;
  /**
   * True if there is a link for the seat: its person is elsewhere.
   */
  linked: boolean;
  /**
   * The number of pages that look with its eyes now: more than one is somebody's second device, or somebody who has the link, too.
   */
  pages: number;
  /**
   * True if this viewer may know that it is to answer now.
   */
  asked: boolean;
  /**
   * True if it has answered while others still decide at the same time.
   */
  answered: boolean;
}
