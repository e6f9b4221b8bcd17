/** What carries messages between an editor and the language server. */
import type { Transport } from "@codemirror/lsp-client";
import type { Place } from "../protocol/places";

/** Opens a transport; `lost` is called when it ends. */
export type OpenTransport = (lost: () => void) => Promise<Transport>;

/** A websocket of `rulewright studio`. */
export function socketTransport(place: Place): OpenTransport {
  return (lost) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(place.socket("language"), ["rulewright.1", place.secret || "none"]);
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
