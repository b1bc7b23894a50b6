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
  const isEmpty = matches === 0 || /^No (?:matches|files) found/.test(call.output);
  const result = isEmpty ? "nothing found" : plural(matches, isContent(call) ? "match" : "file");
  const path = absolutePath(call, call.input["path"]);
  return {
    type: "discovery",
    title: `Searched for "${pattern}"${where}: ${result}`,
    attempt: `Search for "${pattern}"${where}`,
    facts: [
      found.length === 0 || isEmpty ? "" : `Found in ${formatList(found, 220)}`,
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
  const isEmpty = files === 0 || /^No files found/.test(call.output);
  return {
    type: "discovery",
    title: `Looked for files ${pattern}${where}: ${isEmpty ? "none" : `${files} found`}`,
    attempt: `Looking for files ${pattern}${where}`,
    facts: [found.length === 0 || isEmpty ? "" : `Found ${formatList(found, 220)}`],
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
  const question = clipLine(inputText(call, "prompt"), 200);
  const status = call.meta["statusCode"];
  return {
    type: "research",
    title: `Fetched ${clipLine(short === "" ? "a page" : short, 70)}${question === "" ? "" : `: ${clipLine(question, 60)}`}`,
    attempt: `Fetching ${clipLine(short === "" ? "a page" : short, 70)}`,
    facts: [
      url === "" ? "" : `URL: ${url}`,
      typeof status === "number" && status >= 400 ? `Status ${status}` : "",
      question === "" ? "" : `Asked: ${question}`,
      call.failed ? "" : answerFact(call.output),
    ],
    about: question,
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
  const answer = clipLine(output, 220);
  return answer === "" ? "" : `Answer: ${answer}`;
}

/** A tool of an MCP server, with arbitrary input; Claude Code names it `mcp__server__tool`. */
export function describeMcp(call: Call): CallDescription {
  const [, server = "", ...rest] = call.tool.split("__");
  const name = (`${oneLine(server)} ${oneLine(rest.join("__"))}`.trim() || oneLine(call.tool)).slice(0, 80);
  const args = argumentsOf(call);
  const answer = oneLine(call.output.slice(0, 400).trimStart().split("\n", 1)[0] ?? "");
  const label = args === "" ? name : `${name} (${clipLine(args, 50)})`;
  return {
    type: "research",
    title: answer === "" || answer.startsWith("{") || answer.startsWith("[") ? label : `${label}: ${answer}`,
    attempt: label,
    facts: [args === "" ? "" : `Input: ${args}`, call.failed ? "" : answerFact(call.output)],
    known: [server],
    about: `${args} ${answer}`,
  };
}

/** The scalar values of an input, by name. */
export function argumentsOf(call: Call): string {
  const parts: string[] = [];
  for (const key in call.input) {
    if (parts.length >= 6) break;
    const value = call.input[key];
    if (key === "$blob" || value === null || value === undefined) continue;
    const shown =
      typeof value === "string"
        ? clipLine(cleanText(value, 1_000), 80)
        : typeof value === "object"
          ? "…"
          : String(value);
    if (shown !== "") parts.push(`${oneLine(cleanText(key, 60))}: ${shown}`);
  }
  return parts.join(", ");
}

export function describeDelegation(call: Call): CallDescription {
  const what = clipLine(inputText(call, "description") || inputText(call, "prompt"), 60);
  const agentType = oneLine(inputText(call, "subagent_type", 60));
  const target = agentType === "" ? "" : ` to ${agentType}`;
  const response = parseJsonObject(call.output);
  const isLaunched = response["isAsync"] === true || /^Async agent launched/.test(call.output);
  const report = isLaunched ? "" : clipLine(reportOf(response, call.output), 220);
  const tail = isLaunched ? " (in the background)" : report === "" ? "" : `: ${report}`;
  const question = clipLine(inputText(call, "prompt"), 220);
  return {
    type: "delegation",
    title: `Delegated${what === "" ? "" : ` "${what}"`}${target}${tail}`,
    attempt: `Delegating${what === "" ? "" : ` "${what}"`}${target}`,
    facts: [question === "" ? "" : `Asked: ${question}`, report === "" ? "" : `Report: ${report}`],
    about: `${what} ${question}`,
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
