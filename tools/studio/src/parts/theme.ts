/** The colours of the page: those of the system, or those that somebody has chosen in this browser. */

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];
const KEY = "rulewright.theme";

export function kept(storage: Storage): Theme {
  const found = storage.getItem(KEY);
  return THEMES.find((theme) => theme === found) ?? "system";
}

export function wear(theme: Theme, root: HTMLElement, storage: Storage): void {
  storage.setItem(KEY, theme);
  root.dataset["theme"] = theme;
}
