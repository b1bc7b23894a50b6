import { basename } from "node:path";
import type { TrustReport } from "../control-contract.ts";
import { describeSettings } from "./describe-settings.ts";
import { describeMcpServers } from "./mcp-servers.ts";
import { parseJsonFile } from "./parse-json.ts";
import type { ProjectContent } from "./read-project.ts";
import type { ProjectFile } from "./read-project-file.ts";
import { toSafeLine } from "./safe-line.ts";

type Item = TrustReport["items"][number];

/** What would run or change, file by file, for the person asked to approve it. */
export function describeProject(content: ProjectContent): Item[] {
  const instructionItems = content.instructions.map(
    (file): Item => ({
      file: toSafeLine(file),
      kind: "instructions",
      lines: ["added to the model's context; later changes need no approval"],
      problem: null,
    }),
  );
  return [...content.files.flatMap(describePart), ...instructionItems];
}

function describePart(part: ProjectFile): Item[] {
  const file = toSafeLine(part.file);
  if (part.problem !== null) return [{ file, kind: kindOf(part), lines: [], problem: part.problem }];
  if (part.text === null)
    return [{ file, kind: "code", lines: [`run by a command; ${part.bytes} bytes`], problem: null }];
  const kind = kindOf(part);
  if (kind === "instructions" || kind === "code" || kind === "hooks")
    return [{ file, kind, lines: describeText(part, kind), problem: null }];
  const parsed = parseJsonFile(part.text);
  if (parsed.type === "problem") return [{ file, kind, lines: [], problem: parsed.problem }];
  if (kind === "mcp") return [{ file, kind, lines: describeMcpServers(parsed.value), problem: null }];
  if (kind === "settings") return describeSettings(file, parsed.value);
  const lines = Object.entries(parsed.value).flatMap(([key, value]) =>
    Array.isArray(value)
      ? value.map((entry) => toSafeLine(`${key}: ${JSON.stringify(entry)}`))
      : [toSafeLine(`${key}: ${JSON.stringify(value)}`)],
  );
  return [{ file, kind, lines, problem: null }];
}

function kindOf({ file, text }: ProjectFile): Item["kind"] {
  const name = basename(file);
  if (name === ".mcp.json") return "mcp";
  if (/(^|\/)\.hookline\/rules\.json$/.test(file)) return "rules";
  if (/(^|\/)\.claude\/settings(\.local)?\.json$/.test(file)) return "settings";
  if (!name.endsWith(".md")) return "code";
  return /^["']?hooks["']?\s*:/m.test(frontMatter(text ?? "")) ? "hooks" : "instructions";
}

/** Of instructions: front matter, which may add hooks and tools, and the commands they run when called. */
function describeText({ text, bytes }: ProjectFile, kind: Item["kind"]): string[] {
  if (text === null || kind === "code") return [`${bytes} bytes`];
  const front = frontMatter(text)
    .split("\n")
    .filter((line) => line.trim() !== "");
  const runs = [...text.matchAll(/!`([^`]+)`|^```!\s*\n([\s\S]*?)^```/gm)].map(
    (match) => `runs: ${match[1] ?? match[2]}`,
  );
  return [...front, ...runs].map(toSafeLine);
}

function frontMatter(text: string): string {
  return /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? "";
}
