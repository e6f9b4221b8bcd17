import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vitest/config";

// The page lies inside the Python package, which serves it. Addresses are relative, for any sub-path.
export default defineConfig({
  plugins: [svelte()],
  base: "./",
  build: {
    outDir: "../rulewright_tools/studio/page",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
  },
  test: { environment: "jsdom", include: ["tests/**/*.test.ts"] },
});
