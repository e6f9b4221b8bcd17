// Writes src/protocol/messages.ts, the types of all messages, from the schema; with --check it only compares.
import { readFileSync, writeFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const schema = JSON.parse(readFileSync(new URL("../../../schemas/studio.schema.json", import.meta.url), "utf8"));
const target = new URL("../src/protocol/messages.ts", import.meta.url);
const everything = {
  type: "object",
  properties: { methods: { $ref: "#/$defs/methods" }, notifications: { $ref: "#/$defs/notifications" } },
  required: ["methods", "notifications"],
  additionalProperties: false,
  $defs: schema.$defs,
};
const text = await compile(everything, "Messages", {
  additionalProperties: false,
  bannerComment: "// Made from schemas/studio.schema.json: `npm run protocol` writes it anew.",
  maxItems: -1,
  style: { printWidth: 120 },
});
if (!process.argv.includes("--check")) writeFileSync(target, text);
else if (readFileSync(target, "utf8") !== text) {
  console.error("src/protocol/messages.ts does not fit the schema: npm run protocol");
  process.exit(1);
}
