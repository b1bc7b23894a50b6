import { asObject, text } from "../../agents/read-json.ts";
import type { CallDescription } from "./call-description.ts";
import { cleanText, clipLine, formatList, oneLine } from "./clean-text.ts";
import { plural } from "./describe-file.ts";
import { absolutePath, type Call, inputText, shortPath } from "./read-call.ts";
import { unwrapReport } from "./unwrap-output.ts";

export function describeGrep(call: Call): CallDescription {
  const pattern = clipLine(inputText(call, "pattern") || inputText(call, "query"), 60);
  const where = locationSuffix(call);
  const found = foundPaths(call);
  const count = call.meta["matchCount"];
  const matches = typeof count === "number" ? count : found.length;
  const isNothing = matches === 0 || /^No (?:matches|files) found/.test(call.output);
  const told = isNothing ? "nothing found" : plural(matches, isContent(call) ? "match" : "file");
  const path = absolutePath(call, call.input["path"]);
  return {
    type: "discovery",
    title: `Searched for "${pattern}"${where}: ${told}`,
    attempt: `Search for "${pattern}"${where}`,
    facts: [
      found.length === 0 || isNothing ? "" : `Found in ${formatList(found, 220)}`,
      inputText(call, "glob", 200) === "" ? "" : `Among ${inputText(call, "glob", 200)}`,
    ],
    reads: path !== null && /\.\w{1,10}$/.test(path) ? [path] : [],
    about: pattern,
  };
}

function isContent(call: Call): boolean {
  return call.input["output_mode"] === "content" || call.input["output_mode"] === "count";
}

export function describeGlob(call: Call): CallDescription {
  const pattern = clipLine(inputText(call, "pattern"), 80);
  const where = locationSuffix(call);
  const found = foundPaths(call);
  const count = call.meta["matchCount"];
  const files = typeof count === "number" ? count : found.length;
  const isNothing = files === 0 || /^No files found/.test(call.output);
  return {
    type: "discovery",
    title: `Looked for files ${pattern}${where}: ${isNothing ? "none" : `${files} found`}`,
    attempt: `Looking for files ${pattern}${where}`,
    facts: [found.length === 0 || isNothing ? "" : `Found ${formatList(found, 220)}`],
    about: pattern,
  };
}

export function describeList(call: Call): CallDescription {
  const path = absolutePath(call, call.input["path"] ?? call.input["dir_path"]);
  const name = path === null ? "a folder" : shortPath(call, path);
  return {
    type: "discovery",
    title: `Listed ${name}`,
    attempt: `Listing ${name}`,
    facts: [call.output === "" ? "" : `Found ${formatList(call.output.split("\n", 60).map(oneLine), 220)}`],
  };
}

function locationSuffix(call: Call): string {
  const path = absolutePath(call, call.input["path"]);
  const short = path === null ? "." : shortPath(call, path);
  return short === "." ? "" : ` in ${short}`;
}

function foundPaths(call: Call): string[] {
  if (call.output === "" || /^No (?:matches|files) found/.test(call.output)) return [];
  return call.output
    .split("\n", 200)
    .map((line) => oneLine(line.slice(0, 300)))
    .filter((line) => line !== "" && !/^Found \d+ |^\(|^\.\.\.\[TRUNCATED\]/.test(line))
    .map((line) => shortPath(call, line));
}

export function describeFetch(call: Call): CallDescription {
  const url = oneLine(cleanText(call.input["url"] ?? call.meta["url"], 1_000));
  const short = url
    .replace(/^https?:\/\/(?:www\.)?/, "")
    .replace(/[?#].*$/, "")
    .replace(/\/$/, "");
  const asked = clipLine(inputText(call, "prompt"), 200);
  const status = call.meta["statusCode"];
  return {
    type: "research",
    title: `Fetched ${clipLine(short === "" ? "a page" : short, 70)}${asked === "" ? "" : `: ${clipLine(asked, 60)}`}`,
    attempt: `Fetching ${clipLine(short === "" ? "a page" : short, 70)}`,
    facts: [
      url === "" ? "" : `URL: ${url}`,
      typeof status === "number" && status >= 400 ? `Status ${status}` : "",
      asked === "" ? "" : `Asked: ${asked}`,
      call.failed ? "" : answerFact(call.output),
    ],
    about: asked,
  };
}

export function describeWebSearch(call: Call): CallDescription {
  const query = clipLine(inputText(call, "query") || inputText(call, "pattern"), 90);
  return {
    type: "research",
    title: `Searched the web for "${query}"`,
    attempt: `Web search for "${query}"`,
    facts: [call.failed ? "" : answerFact(call.output)],
    about: query,
  };
}

/** The start of the response. */
export function answerFact(output: string): string {
  const said = clipLine(output, 220);
  return said === "" ? "" : `Answer: ${said}`;
}

/** A tool of an MCP server, with arbitrary input; Claude Code names it `mcp__server__tool`. */
export function describeMcp(call: Call): CallDescription {
  const [, server = "", ...rest] = call.tool.split("__");
  const name = (`${oneLine(server)} ${oneLine(rest.join("__"))}`.trim() || oneLine(call.tool)).slice(0, 80);
  const given = argumentsOf(call);
  const said = oneLine(call.output.slice(0, 400).trimStart().split("\n", 1)[0] ?? "");
  const told = given === "" ? name : `${name} (${clipLine(given, 50)})`;
  return {
    type: "research",
    title: said === "" || said.startsWith("{") || said.startsWith("[") ? told : `${told}: ${said}`,
    attempt: told,
    facts: [given === "" ? "" : `Input: ${given}`, call.failed ? "" : answerFact(call.output)],
    known: [server],
    about: `${given} ${said}`,
  };
}

/** The scalar values of an input, by name. */
export function argumentsOf(call: Call): string {
  const parts: string[] = [];
  for (const key in call.input) {
    if (parts.length >= 6) break;
    const value = call.input[key];
    if (key === "$blob" || value === null || value === undefined) continue;
    const told =
      typeof value === "string"
        ? clipLine(cleanText(value, 1_000), 80)
        : typeof value === "object"
          ? "…"
          : String(value);
    if (told !== "") parts.push(`${oneLine(cleanText(key, 60))}: ${told}`);
  }
  return parts.join(", ");
}

export function describeDelegation(call: Call): CallDescription {
  const what = clipLine(inputText(call, "description") || inputText(call, "prompt"), 60);
  const whom = oneLine(inputText(call, "subagent_type", 60));
  const to = whom === "" ? "" : ` to ${whom}`;
  const response = parseJsonObject(call.output);
  const isLaunched = response["isAsync"] === true || /^Async agent launched/.test(call.output);
  const report = isLaunched ? "" : clipLine(reportOf(response, call.output), 220);
  const tail = isLaunched ? " (in the background)" : report === "" ? "" : `: ${report}`;
  const asked = clipLine(inputText(call, "prompt"), 220);
  return {
    type: "delegation",
    title: `Delegated${what === "" ? "" : ` "${what}"`}${to}${tail}`,
    attempt: `Delegating${what === "" ? "" : ` "${what}"`}${to}`,
    facts: [asked === "" ? "" : `Asked: ${asked}`, report === "" ? "" : `Report: ${report}`],
    about: `${what} ${asked}`,
  };
}

/** The texts of an agent's answer; a transcript has only the text itself. */
function reportOf(response: Readonly<Record<string, unknown>>, output: string): string {
  const content = response["content"];
  if (!Array.isArray(content)) return output.startsWith("{") ? "" : unwrapReport(output);
  return content
    .slice(0, 20)
    .map((block) => cleanText(text(asObject(block), "text"), 2_000).trim())
    .filter((part) => part !== "")
    .join(" ");
}

export function parseJsonObject(output: string): Readonly<Record<string, unknown>> {
  if (!output.startsWith("{")) return {};
  try {
    return asObject(JSON.parse(output));
  } catch {
    return {};
  }
}
