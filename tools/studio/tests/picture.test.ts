import { describe, expect, it } from "vitest";
import { picture, UnsafePicture } from "../src/board/picture";

const begin = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9">';

describe("pictures of the host", () => {
  it("are taken as they are", () => {
    const drawn = picture(`${begin}<g transform="translate(1,2)"><circle cx="1" cy="2" r="3"/></g></svg>`);
    expect(drawn.querySelectorAll("circle").length).toBe(1);
    expect(drawn.ownerDocument).toBe(document);
  });

  it.each([
    ["a script", `${begin}<script>alert(1)</script></svg>`],
    ["a handler", `${begin}<circle r="3" onclick="alert(1)"/></svg>`],
    ["a handler of the root", `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>`],
    ["HTML", `${begin}<foreignObject><b xmlns="http://www.w3.org/1999/xhtml">x</b></foreignObject></svg>`],
    ["a picture from elsewhere", `${begin}<image href="https://example.org/x.png"/></svg>`],
    ["a link", `${begin}<a href="javascript:alert(1)"><text>x</text></a></svg>`],
    ["a reference", `${begin}<use href="#a"/></svg>`],
    ["a style", `${begin}<style>* { display: none }</style></svg>`],
    ["an inline style", `${begin}<g style="display: none"/></svg>`],
    ["an address in a colour", `${begin}<circle r="1" fill="url(https://example.org/#x)"/></svg>`],
    ["an animation", `${begin}<animate attributeName="r"/></svg>`],
    ["another document", `<html xmlns="http://www.w3.org/1999/xhtml"/>`],
    ["a text that is no XML", `${begin}<g>`],
    ["nothing", ""],
  ])("are refused with %s in them", (_, text) => {
    expect(() => picture(text)).toThrow(UnsafePicture);
  });

  it("hold tags in titles as text", () => {
    const drawn = picture(`${begin}<circle r="1"><title>&lt;script&gt;alert(1)&lt;/script&gt;</title></circle></svg>`);
    expect(drawn.querySelector("title")?.textContent).toBe("<script>alert(1)</script>");
  });
});
