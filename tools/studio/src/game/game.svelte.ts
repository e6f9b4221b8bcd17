/** The game as the page knows it: what the host has shown, and what is asked of the host. */
import {
  Client,
  ConnectionLost,
  PROTOCOL,
  Refusal,
  type Connection,
  type Method,
  type Params,
  type Result,
} from "../protocol/client";
import type {
  Error as Failing,
  Hello,
  Line,
  Refusal as WhyNot,
  Ruleset,
  Shown,
  Table,
  Thinking,
} from "../protocol/messages";
import { Editing } from "../editor/editing.svelte";
import type { OpenTransport } from "../editor/transport";
import { joinedBoard, type BoardParts } from "../board/parts";
import { Jobs } from "../proving/jobs.svelte";
import { isToAsk, manages, plainTable } from "../table/people";
import { Busy } from "./busy.svelte";
import { Meanwhile } from "./meanwhile.svelte";
import { byThing, chosenThings, joined, otherParts, type Option } from "./options";

export interface Finding {
  severity: string;
  code: string;
  message: string;
  hint?: string;
  file?: string | null;
  span?: { line: number; column: number };
}

export interface Trouble {
  sentence: string;
  findings: Finding[];
}

export class Game {
  hello = $state.raw<Hello>();
  shown = $state.raw<Shown>();
  log = $state.raw<Line[]>([]);
  /** The board of the position that is shown. */
  board = $state.raw<BoardParts>();
  /** Statements of the rulebook that were sent so far, by their ids. */
  statements = $state.raw<Record<string, string>>({});
  whyNot = $state.raw<{ name: string; told: WhyNot }>();
  hints = $state.raw<Result<"game/hint">>();
  /** How far an agent is that thinks. */
  thinking = $state.raw<Thinking>();
  /** Several options that one element stands for: which of them is meant? */
  choosing = $state.raw<Option[]>([]);
  trouble = $state.raw<Trouble>();
  /** Why the scenario from which the game was opened goes no further. */
  stopsAt = $state.raw<Result<"game/open">["failure"]>(null);
  lost = $state.raw("");
  /** When the host is looked for again, in milliseconds as a clock tells them; none if it is not. */
  again = $state.raw<number>();
  /** What the host has said of the table; nothing as long as there is nothing special about it. */
  private toldTable = $state.raw<Table>();
  /** The number of requests that wait for the host. */
  waiting = $state(0);
  /** What stands in the place of the game: the form for a new one, or all games. */
  screen = $state<"" | "start" | "games">("");
  /** True while the links are shown by which others come. */
  inviting = $state(false);
  /** The view beside the game that is open, by its id. */
  view = $state("");
  /** Opens a view at a line of a file, which is named as the host names it. */
  place = $state.raw<{ file: string; line: number }>();
  /** The number of times that the rules of the game were read anew. */
  reloads = $state(0);
  /** What the last of these has changed in the position, as the viewer sees it. */
  changes = $state.raw<string[]>([]);
  /** What another page has changed by changing the rules; undefined if it has not, or if that was read. */
  otherRules = $state.raw<readonly string[]>();
  /** The number of times that a cover fell: what one person was told is gone before another one sits down. */
  covers = $state(0);
  readonly busy = new Busy();
  readonly jobs = new Jobs(this);
  readonly editing = new Editing(this);
  readonly meanwhile = new Meanwhile((params) => this.request("game/answer", params));
  private readonly client: Client;
  private listening: (() => void)[] = [];

  constructor(
    readonly carrier: Connection,
    /** The way to a language server, where there is one. */
    readonly language?: OpenTransport,
  ) {
    this.client = new Client(carrier, {
      "game/shown": (shown) => this.take(shown),
      "game/thinking": (thinking) => (this.thinking = thinking),
      "game/stopped": ({ error }) => this.halt(error),
      "jobs/changed": ({ job }) => this.jobs.take(job),
      "table/changed": (table) => (this.toldTable = table),
      "table/moved": ({ game, key }) => void this.move(game, key),
    });
    carrier.onOpen = () => void this.greet();
    carrier.onStage = (words) => (this.busy.does = words);
    carrier.onLost = (sentence, again) => {
      this.busy.does = "";
      this.lost = sentence;
      this.again = again === undefined ? undefined : Date.now() + again;
      this.client.close();
    };
  }

  /** Who sits at the table, and what they have agreed. */
  get table(): Table | undefined {
    return this.toldTable ?? (this.shown && plainTable(this.shown, this.hello?.role ?? "owner"));
  }

  /** The name of the ruleset that is played, or was opened; empty if there is none yet. */
  get ruleset(): string {
    return this.shown?.ruleset ?? this.hello?.opens ?? "";
  }

  /** Another text for other rules of the game that is to be seen; undefined if none is. */
  get rules(): string | undefined {
    if (this.screen || !this.shown) return undefined;
    const { ruleset, variants, options, seats } = this.shown;
    return JSON.stringify([ruleset, variants, options, seats.length, this.reloads]);
  }

  /** True while the page asks for a new game. */
  get starting(): boolean {
    return this.screen === "start";
  }

  /** True if this page may do everything: read and change rules, begin and delete games. */
  get owns(): boolean {
    return this.hello?.role === "owner";
  }

  /** True if this page may manage the game. */
  get manages(): boolean {
    return manages(this.hello?.role);
  }

  /** True if others can come by links. */
  get invites(): boolean {
    return this.manages && this.carrier.place !== undefined;
  }

  ask<M extends Method>(method: M, params: Params<M>): Promise<Result<M> | undefined> {
    return this.told(this.request(method, params));
  }

  /** What comes of it; a refusal is told on the page. */
  private async told<T>(asked: Promise<T>): Promise<T | undefined> {
    try {
      return await asked;
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (!(error instanceof ConnectionLost)) this.tell(error.failing); // that is told beside the game, as long as it lasts
      return undefined;
    }
  }

  /** As `ask`, but whoever asks deals with a refusal. */
  async request<M extends Method>(method: M, params: Params<M>): Promise<Result<M>> {
    this.waiting++;
    const done = this.busy.begin(method);
    try {
      return await this.client.ask(method, params);
    } catch (error) {
      if (error instanceof ConnectionLost && this.lost) this.meanwhile.miss(method);
      throw error;
    } finally {
      this.waiting--;
      done();
    }
  }

  /** Go on with the rules as they are now, perhaps with other variants; undefined if they are refused. */
  async reload(params: Params<"game/reload">): Promise<Result<"game/reload"> | undefined> {
    const told = await this.ask("game/reload", params);
    if (told) {
      this.reloads++;
      this.forget();
    }
    this.changes = told?.changes ?? [];
    return told;
  }

  /** Ask anew which rulesets there are. */
  async refresh(): Promise<void> {
    this.hello = (await this.ask("hello", { protocol: PROTOCOL })) ?? this.hello;
  }

  async start(params: Params<"game/start">): Promise<void> {
    this.trouble = undefined;
    const begun = await this.ask("game/start", params); // the form stays until there is something to be seen
    this.inviting = begun !== undefined && (params.seats?.includes("link") ?? false);
  }

  /** Give an answer, or an earlier part of it otherwise than before, in the position in which that was asked. */
  async answer(option: Option, at = this.shown?.at): Promise<void> {
    if (!this.shown || at === undefined) return;
    const { game } = this.shown;
    this.forget();
    if (isToAsk(this.shown, this.table)) {
      this.tell({ message: "You look at an earlier position: the others are to agree before it is played anew." });
      return;
    }
    await this.told(this.meanwhile.give({ game, at, key: option.key, label: option.label }));
  }

  /** What each element of the page stands for: answers, and other ones to what was asked before. */
  readonly offered = $derived(byThing(this.shown?.question?.options ?? []));
  readonly exchanged = $derived(otherParts(this.shown?.question?.earlier ?? []));
  /** The elements that stand for what was chosen in this answer so far. */
  readonly chosen = $derived(chosenThings(this.shown?.question?.earlier ?? []));

  /** An element of the page was chosen: it stands for one answer, for several, for another part, or for none. */
  async choose(id: string): Promise<void> {
    const [first, ...others] = this.offered.get(id) ?? [];
    const instead = this.exchanged.get(id);
    if (first && others.length === 0) await this.answer(first);
    else if (first) this.choosing = [first, ...others];
    else if (instead?.option) await this.answer(instead.option, instead.at);
    else if (!this.chosen.has(id)) await this.askWhyNot({ thing: id });
  }

  private nameOf(id?: string): string {
    const holders = (this.shown?.holders ?? []).flatMap((one) => [one, ...one.piles.flatMap(({ pieces }) => pieces)]);
    return [...(this.board?.things ?? []), ...holders].find((one) => one.id === id)?.name ?? "";
  }

  /** As soon as the page is shown something else; or after a while, if it is not. */
  async news(): Promise<void> {
    await new Promise<void>((heard) => {
      this.listening.push(heard);
      setTimeout(heard, 3000);
    });
  }

  /** Why an element of the page, or an answer beside it, cannot be chosen. */
  async askWhyNot(what: Params<"game/whyNot">, name = this.nameOf(what.thing)): Promise<void> {
    const told = await this.ask("game/whyNot", what);
    if (told) this.whyNot = { name, told };
  }

  /** Show another position: what was said of this one is gone. */
  async go<M extends Method>(method: M, params: Params<M>): Promise<void> {
    this.forget();
    await this.ask(method, params);
  }

  goTo(at: number): Promise<void> {
    return this.go("game/goto", { at });
  }

  async hint(): Promise<void> {
    this.hints = await this.ask("game/hint", {});
    this.thinking = undefined;
  }

  async openGame(game: string): Promise<void> {
    this.trouble = undefined;
    if (await this.ask("games/open", { game })) this.screen = "";
  }

  /** The same people once more, perhaps each at the next seat; pages that came by links are told where. */
  async rematch(turned: boolean): Promise<void> {
    const made = await this.ask("table/rematch", { turned });
    if (made && this.owns) await this.openGame(made.game);
  }

  /** Begin a game in the middle: with a scenario, or with a file that holds a game. */
  async open(what: Params<"game/open">): Promise<boolean> {
    this.trouble = undefined;
    const told = await this.ask("game/open", what);
    if (told) this.stopsAt = told.failure;
    return told !== undefined;
  }

  showRules(place: { file: string; line: number }): void {
    this.place = place;
    this.view = "rules";
  }

  stop(): void {
    this.client.cancel();
  }

  async describe(ruleset: string): Promise<Ruleset | undefined> {
    return this.ask("ruleset", { ruleset });
  }

  /** All go on with another game. */
  private async move(game: string, key: string | null): Promise<void> {
    if (key !== null) this.carrier.visit?.(game, key);
    else if (this.shown?.game !== game) await this.openGame(game);
  }

  private async greet(): Promise<void> {
    this.lost = "";
    this.again = undefined;
    this.client.open();
    const hello = await this.ask("hello", { protocol: PROTOCOL });
    if (!hello) return;
    this.hello = hello;
    if (this.owns) void this.jobs.list(); // another host has other ones, and this one may have said something unheard
    await this.meanwhile.again(hello.game);
    if (this.shown || hello.game !== null || !this.owns) return;
    if (!hello.opens || !(await this.ask("game/start", { ruleset: hello.opens }))) this.screen = "start";
  }

  private take(shown: Shown): void {
    const board = joinedBoard(this.board, shown.board);
    if (!board) {
      void this.ask("game/show", {}); // something was lost on the way: once more, and all of it
      return;
    }
    this.board = board;
    this.log = joined(this.log, shown.log.from, shown.log.lines);
    this.statements = { ...this.statements, ...shown.statements };
    if (shown.question?.covered) {
      this.changes = [];
      if (!this.shown?.question?.covered) this.covers++;
    }
    const before = this.shown;
    this.otherRules = shown.changes ?? this.otherRules;
    this.shown = shown;
    if (!shown.plays_on) this.thinking = undefined;
    if (shown.game !== before?.game) this.screen = "";
    if (this.toldTable?.game !== shown.game) this.toldTable = undefined;
    this.carrier.place?.isAt(shown.game);
    // Others have perhaps done something that does not touch what is asked here.
    const isSame = shown.game === before?.game && shown.at === before.at;
    if (!isSame || shown.question?.who !== before.question?.who) this.forget();
    this.listening.splice(0).forEach((heard) => heard());
  }

  private forget(): void {
    this.whyNot = undefined;
    this.thinking = undefined;
    this.hints = undefined;
    this.choosing = [];
    this.trouble = undefined;
  }

  /** Agents could not play on: they wait to be told to. */
  private halt(error: Failing): void {
    if (this.shown) this.shown = { ...this.shown, plays_on: false };
    this.thinking = undefined;
    this.tell(error);
  }

  tell(error: { message: string; data?: object }): void {
    const data = error.data as { diagnostics?: Finding[] } | undefined;
    this.trouble = { sentence: error.message, findings: data?.diagnostics ?? [] };
  }
}
