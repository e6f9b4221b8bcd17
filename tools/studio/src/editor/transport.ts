/** What carries messages between an editor and the language server. */
import type { Transport } from "@codemirror/lsp-client";

/** Opens a transport; `lost` is called when it ends. */
export type OpenTransport = (lost: () => void) => Promise<Transport>;

/** A websocket of `rulewright studio`. */
export function socketTransport(token: string): OpenTransport {
  return (lost) =>
    new Promise((resolve, reject) => {
      const address = new URL("language", document.baseURI);
      address.protocol = address.protocol === "https:" ? "wss:" : "ws:";
      const socket = new WebSocket(address, ["rulewright.1", token || "none"]);
      const handlers = new Set<(text: string) => void>();
      socket.onmessage = (event) => {
        for (const handler of handlers) handler(String(event.data));
      };
      socket.onclose = () => {
        reject(new Error("the language server does not answer"));
        lost();
      };
      socket.onopen = () =>
        resolve({
          send: (text) => socket.send(text),
          subscribe: (handler) => void handlers.add(handler),
          unsubscribe: (handler) => void handlers.delete(handler),
        });
    });
}
