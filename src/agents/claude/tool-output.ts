import { isPlainObject } from "../../event/canonical.ts";
import { asObject, type Json, list, number, ownValue, text } from "../read-json.ts";

/** Renders a tool's output as text. Structured responses have one shape per tool; others become JSON. */
export function renderToolOutput(toolName: string, response: unknown): string | undefined {
  if (response === undefined || response === null) return undefined;
  if (typeof response === "string") return response;
  if (Array.isArray(response)) return renderBlocks(response);
  const object = asObject(response);
  return ownValue(RENDERERS, toolName)?.(object) ?? JSON.stringify(withoutBinary(object));
}

/** Renders the content blocks of a message as text; an image is only named. */
export function renderBlocks(blocks: readonly unknown[]): string {
  return blocks.map(renderBlock).join("\n");
}

function renderBlock(block: unknown): string {
  if (typeof block === "string") return block;
  const object = asObject(block);
  if (text(object, "type") === "text") return text(object, "text") ?? "";
  if (text(object, "type") === "image") return imageLabel(asObject(object["source"]));
  return JSON.stringify(withoutBinary(object));
}

const RENDERERS: Readonly<Record<string, (response: Json) => string | undefined>> = {
  Bash: (r) =>
    [text(r, "stdout"), text(r, "stderr")].filter((part) => part !== undefined && part !== "").join("\n"),
  Read: (r) => {
    const file = asObject(r["file"]);
    return text(r, "type") === "image" ? imageLabel(file) : text(file, "content");
  },
  Grep: (r) => text(r, "content") || list(r, "filenames").join("\n"),
  Glob: (r) => list(r, "filenames").join("\n"),
};

function imageLabel(source: Json): string {
  const type = text(source, "type") === "base64" ? text(source, "media_type") : text(source, "type");
  const size = number(source, "originalSize");
  return `[image ${type ?? "of unknown type"}${size === undefined ? "" : `, ${size} bytes`}]`;
}

/** Images and other base64 bodies are useless to a reader of the log and would fill it. */
function withoutBinary(value: Json): Json {
  const walk = (inner: unknown): unknown => {
    if (Array.isArray(inner)) return inner.map(walk);
    if (!isPlainObject(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([key, item]) => [
        key,
        (key === "base64" || key === "data") && typeof item === "string" && item.length > 256
          ? `[${item.length} characters of base64]`
          : walk(item),
      ]),
    );
  };
  return walk(value) as Json;
}
