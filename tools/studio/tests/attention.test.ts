import { expect, it } from "vitest";
import { call } from "../src/table/attention";

it("the tab of the browser says when it is one's turn", () => {
  const link = Object.assign(document.createElement("link"), { rel: "icon", href: "./icon.svg" });
  document.head.append(link);
  const icon = () => document.querySelector("link")?.href;
  call(document, "Chess", false);
  const usual = icon();
  expect([document.title, usual?.endsWith("/icon.svg")]).toEqual(["Chess", true]);
  history.replaceState(null, "", "/game/abcdefgh");
  call(document, "Chess", true);
  expect(document.title).toMatch(/Your turn: Chess/);
  expect(icon()).not.toBe(usual);
  call(document, "Chess", false);
  expect([document.title, icon()]).toEqual(["Chess", usual]);
});
