/** The plugin that makes the page without a server. */
export function exported(): import("vite").Plugin;
