/**
 * Pictures of the host: SVG that is parsed as XML, and let into the page only if there is nothing in it but shapes.
 *
 * The host draws them by itself, but titles and colours in them come from rulesets of anybody.
 */

const SVG = "http://www.w3.org/2000/svg";

const ELEMENTS = new Set(
  "svg g rect circle ellipse line lines polyline polygon path text tspan title defs clipPath".split(" "),
);

const ATTRIBUTES = new Set(
  (
    "id class x y x1 y1 x2 y2 cx cy r rx ry d points width height viewBox transform opacity fill fill-opacity stroke " +
    "stroke-width stroke-linecap stroke-linejoin stroke-dasharray stroke-opacity font-size font-family font-weight " +
    "font-style text-anchor dominant-baseline preserveAspectRatio xmlns version clip-path fill-rule"
  ).split(" "),
);

export class UnsafePicture extends Error {}

/** The picture in a text; UnsafePicture if anything else is in it. */
export function picture(text: string): SVGSVGElement {
  const parsed = new DOMParser().parseFromString(text, "image/svg+xml");
  const root = parsed.documentElement;
  if (parsed.getElementsByTagName("parsererror").length > 0 || root.namespaceURI !== SVG || root.localName !== "svg") {
    throw new UnsafePicture("it is not SVG");
  }
  for (const element of [root, ...root.querySelectorAll("*")]) {
    if (element.namespaceURI !== SVG || !ELEMENTS.has(element.localName)) {
      throw new UnsafePicture(`it has an element <${element.localName}>`);
    }
    for (const { name, value } of [...element.attributes]) {
      if (name.startsWith("xmlns:")) element.removeAttribute(name);
      else if (!ATTRIBUTES.has(name)) throw new UnsafePicture(`it has an attribute ${name}`);
      else if (/url\s*\(|javascript:/i.test(value)) throw new UnsafePicture(`its ${name} names something outside`);
    }
  }
  return document.importNode(root, true) as unknown as SVGSVGElement;
}
