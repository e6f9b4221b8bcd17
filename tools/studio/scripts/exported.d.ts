/** The plugin that makes the page without a server. */
export function exported(): import("vite").Plugin;

/** Its page, and the worker that keeps its files. */
export const entries: NonNullable<import("vite").BuildEnvironmentOptions["rollupOptions"]>;
