/** The views beside the game. What they consist of is loaded when they are opened for the first time. */
import type { Component } from "svelte";
import type { Game } from "../game/game.svelte";

export interface View {
  id: string;
  title: string;
  /** True if it shows what a seat sees: it begins anew when another person may sit down. */
  sees?: true;
  load: () => Promise<{ default: Component<{ game: Game }> }>;
}

export const VIEWS: readonly View[] = [
  { id: "rules", title: "Rules", load: () => import("../editor/RulesView.svelte") },
  { id: "variants", title: "Variants", load: () => import("../variants/VariantsView.svelte") },
  { id: "prove", title: "Prove", load: () => import("../proving/ProveView.svelte") },
  { id: "sliders", title: "Sliders", load: () => import("../sliding/SlidersView.svelte") },
  { id: "trace", title: "Trace", sees: true, load: () => import("../inspecting/TraceView.svelte") },
  { id: "inspect", title: "Inspect", sees: true, load: () => import("../inspecting/InspectView.svelte") },
];
