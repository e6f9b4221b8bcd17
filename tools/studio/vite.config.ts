import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";
import { entries, exported } from "./scripts/exported.js";

// Two pages of one source, both inside the Python package: `page` is served by `rulewright studio`, `site` (the mode
// "site") is what `--output` writes, with Python in it. Addresses are relative, for any sub-path.
export default defineConfig(({ mode }) => ({
  plugins: [svelte(), ...(mode === "site" ? [exported()] : [])],
  base: "./",
  build: {
    outDir: `../rulewright_tools/studio/${mode === "site" ? "site" : "page"}`,
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    ...(mode === "site" ? { rollupOptions: entries } : {}),
  },
  worker: { format: "es" },
  test: { environment: "jsdom", include: ["tests/**/*.test.ts"] },
}));
