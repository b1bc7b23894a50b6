import { isAbsolute, join } from "node:path";
import type { HooklineEvent, Origin } from "../../event/event.ts";
import { contentHash, factId, rowId } from "../../event/ids.ts";
import type {
  ClaudeMem,
  ForeignObservation,
  ForeignPrompt,
  ForeignSession,
  ForeignSummary,
} from "../../store/claude-mem.ts";
import type { ItemContent, ItemType, MemoryItem } from "../memory-item.ts";
import { createItemWriter, type ItemWriterOptions, itemEvents, titleOf } from "./write-items.ts";

export interface ImportClaudeMemOptions extends ItemWriterOptions {
  readonly source: ClaudeMem;
  /** Whether the session was recorded here, so that its prompts are known. */
  readonly hasSession: (sessionId: string) => Promise<boolean>;
  /** Folders of known projects that end with a name. */
  readonly projectsNamed: (name: string) => Promise<readonly string[]>;
}

export interface ImportedClaudeMem {
  readonly sessions: number;
  readonly prompts: number;
  readonly observations: number;
  readonly summaries: number;
  /** Already known, excluded, or forgotten here. */
  readonly skipped: number;
}

/** Imports what claude-mem remembered. Idempotent. */
export async function importClaudeMem(options: ImportClaudeMemOptions): Promise<ImportedClaudeMem> {
  const { source } = options;
  const writer = createItemWriter(options);
  const counts = { sessions: 0, prompts: 0, observations: 0, summaries: 0, skipped: 0 };
  const write = async (kind: keyof ImportedClaudeMem, events: readonly HooklineEvent[]): Promise<void> => {
    counts[(await writer.put(events)) ? kind : "skipped"]++;
  };
  const projectOf = createProjectNames(options.projectsNamed);
  /** Sessions not recorded here, by id, with their project and agent. */
  const importedSessions = new Map<string, ForeignSession>();
  for (const session of source.sessions()) {
    const startId = factId("claude-mem", "session", session.sessionId, "started");
    // A session known only from an interrupted import does not count as recorded here.
    if ((await options.hasSession(session.sessionId)) && !(await options.hasFact(startId))) continue;
    importedSessions.set(session.sessionId, session);
    await write("sessions", sessionEvents(session, startId, await projectOf(session.project)));
  }
  for (const prompt of source.prompts()) {
    const session = importedSessions.get(prompt.sessionId);
    if (session === undefined) counts.skipped++;
    else await write("prompts", [promptEvent(prompt, session, await projectOf(session.project))]);
  }
  for (const record of source.observations())
    await write("observations", itemEvents(toObservation(record, await projectOf(record.project))));
  for (const record of source.summaries())
    await write("summaries", itemEvents(toSummary(record, await projectOf(record.project))));
  await writer.flush();
  return counts;
}

/** Maps a name to the only folder that ends with it; otherwise keeps the name. */
function createProjectNames(projectsNamed: ImportClaudeMemOptions["projectsNamed"]) {
  const folderByName = new Map<string, string | null>();
  return async (name: string | null): Promise<string | null> => {
    if (name === null || name === "") return null;
    let project = folderByName.get(name);
    if (project === undefined) {
      const folders = await projectsNamed(name);
      project = folders.length === 1 ? folders[0]! : name;
      folderByName.set(name, project);
    }
    return project;
  };
}

function sessionEvents(session: ForeignSession, startId: string, project: string | null): HooklineEvent[] {
  const { sessionId, startedAtIso, completedAtIso } = session;
  const start = {
    ...stamp(session, project, startedAtIso),
    id: startId,
    eventType: "session.lifecycle",
    phase: "started",
  };
  if (completedAtIso === null) return [start];
  const id = factId("claude-mem", "session", sessionId, "ended");
  return [start, { ...start, id, phase: "ended", occurredAtIso: completedAtIso }];
}

function promptEvent(record: ForeignPrompt, session: ForeignSession, project: string | null): HooklineEvent {
  const { sessionId, prompt, createdAtIso } = record;
  return {
    ...stamp(session, project, createdAtIso),
    id: factId("claude-mem", "prompt", sessionId, createdAtIso, contentHash(prompt)),
    eventType: "turn.start",
    prompt,
  };
}

function stamp({ sessionId, provider }: ForeignSession, projectPath: string | null, occurredAtIso: string) {
  const origin: Origin = "stream";
  return { v: 1, occurredAtIso, sessionId, provider, projectPath, cwd: null, origin };
}

function toObservation(record: ForeignObservation, project: string | null): MemoryItem {
  const { text, subtitle, narrative } = record;
  const title = record.title ?? subtitle ?? text ?? narrative ?? record.facts[0] ?? "(untitled)";
  const narrativeParts = [record.title === null ? null : subtitle, narrative ?? text].filter(
    (part) => part !== null,
  );
  return toItem("observation", record, project, {
    type: TYPES[record.type] ?? "discovery",
    title: titleOf(title),
    facts: [...record.facts],
    narrative: narrativeParts.length === 0 ? null : narrativeParts.join("\n"),
    filesRead: toPaths(record.filesRead, project),
    filesModified: toPaths(record.filesModified, project),
    concepts: [...new Set(record.concepts.map((concept) => concept.toLowerCase()))].slice(0, MAX_CONCEPTS),
  });
}

const MAX_CONCEPTS = 8;

const TYPES: Readonly<Record<string, ItemType>> = {
  bugfix: "fix",
  feature: "change",
  refactor: "change",
  change: "change",
  discovery: "discovery",
  decision: "decision",
};

function toSummary(record: ForeignSummary, project: string | null): MemoryItem {
  const { request, investigated, learned, completed, nextSteps, notes } = record;
  const item = toItem("summary", record, project, {
    type: "summary",
    title: titleOf(request ?? completed ?? learned ?? investigated ?? nextSteps ?? notes ?? "(untitled)"),
    facts: [],
    narrative: notes,
    filesRead: toPaths(record.filesRead, project),
    filesModified: toPaths(record.filesModified, project),
    concepts: [],
  });
  return { ...item, summary: { request, investigated, learned, completed, nextSteps } };
}

function toItem(
  kind: "observation" | "summary",
  record: ForeignObservation | ForeignSummary,
  project: string | null,
  content: ItemContent,
): MemoryItem {
  const { sessionId, createdAtIso, promptNumber } = record;
  // The id depends on the content only: the file may be copied, cut or rewritten, and local knowledge varies.
  const { project: _project, ...identity } = record;
  return {
    id: rowId("claude-mem", `${kind}\n${contentHash(JSON.stringify(identity))}`),
    kind,
    sessionId,
    project,
    promptNumber,
    toolName: null,
    branch: null,
    success: null,
    createdAtIso,
    content,
    summary: null,
    madeBy: "import",
    pinned: false,
  };
}

/** Some were written relative to the project. */
function toPaths(paths: readonly string[], project: string | null): string[] {
  return paths.map((path) =>
    isAbsolute(path) || project === null || !isAbsolute(project) ? path : join(project, path),
  );
}
