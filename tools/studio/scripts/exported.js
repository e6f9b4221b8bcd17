/** The page that needs no server: with Pyodide beside it, and with its content security policy inside. */
import { readFileSync } from "node:fs";

const PYODIDE = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];

/** That of the server, and what Pyodide needs: WebAssembly, in a worker. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "worker-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

/** The page, and the worker that keeps its files, which must lie in the folder of the page. */
export const entries = {
  input: { index: "index.html", "service-worker": "src/hosts/service-worker.ts" },
  output: {
    entryFileNames: ({ name }) => (name === "service-worker" ? "[name].js" : "assets/[name]-[hash].js"),
  },
};

/** @returns {import("vite").Plugin} */
export function exported() {
  return {
    name: "exported",
    transformIndexHtml: {
      order: "pre",
      handler: (html) => ({
        html: html.replace("/src/main.ts", "/src/exported.ts"),
        tags: [
          {
            tag: "meta",
            injectTo: "head-prepend",
            attrs: { "http-equiv": "Content-Security-Policy", content: POLICY },
          },
        ],
      }),
    },
    generateBundle(_, bundle) {
      const worker = bundle["service-worker.js"];
      worker.code = `self.POLICY = ${JSON.stringify(POLICY)};\n${worker.code}`;
      for (const name of PYODIDE) {
        let source = readFileSync(new URL(`../node_modules/pyodide/${name}`, import.meta.url));
        if (name.endsWith(".json")) source = withoutPackages(source);
        // Some hosts of files do not know yet that .mjs is JavaScript.
        if (name === "pyodide.mjs") source = String(source).replaceAll("pyodide.asm.mjs", "pyodide.asm.js");
        this.emitFile({ type: "asset", fileName: `pyodide/${name.replace(/mjs$/, "js")}`, source });
      }
    },
  };
}

/** The list of packages that Pyodide could load from elsewhere: nothing is loaded from elsewhere. */
function withoutPackages(source) {
  const lock = JSON.parse(source);
  return JSON.stringify({ ...lock, packages: {} });
}
