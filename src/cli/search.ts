import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { type Home, resolveHome } from "../home.ts";
import { ItemKind, ItemType, SearchAnswer } from "../serve/contract.ts";
import { toSinceIso } from "../shown/duration.ts";
import { askMemory } from "./ask-memory.ts";
import { currentProject, toCountParam, toOneOf, toProject, toQuery } from "./memory-args.ts";
import { note, printJson, printMemory } from "./output.ts";
import { paintFor } from "./paint.ts";
import { refuseUnknownProject } from "./refuse-unknown-project.ts";
import { searchText } from "./search-text.ts";
import { terminalWidth } from "./terminal-width.ts";

export const searchCommand = defineCommand({
  meta: { name: "search", description: "Search what sessions did and learned" },
  args: {
    query: {
      type: "positional",
      required: false,
      variadic: true,
      description: "Search terms; omit to use filters only",
    },
    project: { type: "string", description: "Only this project (path or suffix)" },
    all: {
      type: "boolean",
      description: "Search all projects (default: the current one, if known)",
    },
    session: { type: "string", description: "Only this session (id or prefix)" },
    kind: { type: "string", description: `Only these kinds: ${ItemKind.options.join(", ")}` },
    tool: { type: "string", description: "Only calls of this tool" },
    type: { type: "string", description: `Only these types: ${ItemType.options.join(", ")}` },
    file: { type: "string", description: "Only results that touched this file (path or suffix)" },
    branch: { type: "string", description: "Only this git branch" },
    since: { type: "string", description: "Since 2h or 30d ago, or a time" },
    until: { type: "string", description: "Until 2h or 30d ago, or a time" },
    failed: { type: "boolean", description: "Only failures" },
    limit: { type: "string", description: "Maximum results (default 40)" },
    json: { type: "boolean", description: "Print as JSON" },
  },
  run: async ({ args }) => {
    const now = Date.now();
    const filters = {
      q: args._.join(" ") || undefined,
      session: args.session,
      kind: toOneOf("kind", args.kind, ItemKind.options),
      tool: args.tool,
      type: toOneOf("type", args.type, ItemType.options),
      file: args.file?.replace(/^(\.\/)+/, ""),
      branch: args.branch,
      since: args.since && toSinceIso(args.since, now),
      until: args.until && toSinceIso(args.until, now),
      success: args.failed ? "false" : undefined,
    };
    const project = toProject(args.project);
    if (project !== undefined && args.all)
      throw new AppError("usage", "--project and --all contradict each other.");
    if (project === undefined && Object.values(filters).every((value) => value === undefined))
      throw new AppError(
        "usage",
        "nothing to search for; use `hookline search WORDS` or a filter such as --file.",
      );
    const query = { ...filters, limit: toCountParam("limit", args.limit, { min: 1, max: 100 }) };
    const isCurrentProject = project === undefined && args.session === undefined && !args.all;
    const home = resolveHome();
    const answer = await searchProject(
      home,
      query,
      isCurrentProject ? currentProject() : project,
      isCurrentProject,
    );
    if (answer.hits.length === 0) await refuseUnknownProject(home, project);
    if (args.json) printJson(answer);
    else {
      if (answer.note !== null) note(answer.note);
      const options = { width: terminalWidth(), now, paint: paintFor(process.stdout) };
      if (answer.hits.length > 0) printMemory(searchText(answer.hits, options));
      else note("No results.");
    }
  },
});

/** Without hits in this folder's project, searches all projects. */
async function searchProject(
  home: Home,
  filters: Readonly<Record<string, string | undefined>>,
  project: string | undefined,
  orElsewhere: boolean,
): Promise<SearchAnswer> {
  const answer = await askMemory(home, SearchAnswer, `/api/search?${toQuery({ ...filters, project })}`);
  if (answer.hits.length > 0 || !orElsewhere) return answer;
  const elsewhere = await askMemory(home, SearchAnswer, `/api/search?${toQuery(filters)}`);
  if (elsewhere.hits.length === 0) return elsewhere;
  const fallbackNote = "no results in this project; these are from other projects";
  return { ...elsewhere, note: [elsewhere.note, fallbackNote].filter(Boolean).join("; ") };
}
