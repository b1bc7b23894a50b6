import { existsSync, statSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { AppError } from "../../app-error.ts";
import type {
  ClaudeMem,
  ForeignObservation,
  ForeignPrompt,
  ForeignRecord,
  ForeignSession,
  ForeignSummary,
} from "../claude-mem.ts";
import type { Row } from "./database.ts";

/** Read-only; safe while claude-mem itself is running. */
export function openClaudeMem(path: string): ClaudeMem {
  const db = open(path);
  try {
    const sessions = columnsOf(db, "sdk_sessions");
    if (!sessions.has("project") || nameOf(sessions, SESSION_IDS) === undefined)
      throw new AppError("not_claude_mem", `${path} is not a database of claude-mem`);
    const agentIds = readAgentIds(db, sessions);
    return {
      sessions: () => mapRows(db, "sdk_sessions", (row) => toSession(row, sessions)),
      prompts: () => mapRows(db, "user_prompts", (row) => toPrompt(row, agentIds)),
      observations: () => mapRows(db, "observations", (row) => toObservation(row, agentIds)),
      summaries: () => mapRows(db, "session_summaries", (row) => toSummary(row, agentIds)),
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Columns for the agent's session and the memory writer's session, in older and newer versions. */
const SESSION_IDS = ["content_session_id", "claude_session_id"];
const WRITER_IDS = ["memory_session_id", "sdk_session_id"];

function open(path: string): DatabaseSync {
  if (!existsSync(path)) throw new AppError("claude_mem_missing", `${path} does not exist`);
  const url = pathToFileURL(path);
  // Content still in its write-ahead log is visible only to a reader that shares its locks.
  const walBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (walBytes === 0) url.searchParams.set("immutable", "1");
  const db = new DatabaseSync(url, { readOnly: true, timeout: 2_000 });
  try {
    db.prepare("SELECT count(*) FROM sqlite_master").get();
    return db;
  } catch (error) {
    db.close();
    throw new AppError("not_claude_mem", `${path} cannot be read: ${(error as Error).message}`, {
      cause: error,
    });
  }
}

function columnsOf(db: DatabaseSync, table: string): ReadonlySet<string> {
  return new Set(
    db
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map((row) => row["name"] as string),
  );
}

function nameOf(columns: ReadonlySet<string>, names: readonly string[]): string | undefined {
  return names.find((name) => columns.has(name));
}

interface AgentIds {
  readonly byWriter: ReadonlyMap<string, string>;
  readonly byRow: ReadonlyMap<number, string>;
}

function readAgentIds(db: DatabaseSync, columns: ReadonlySet<string>): AgentIds {
  const sessionColumn = nameOf(columns, SESSION_IDS)!;
  const writerColumn = nameOf(columns, WRITER_IDS) ?? "NULL";
  const rows = db
    .prepare(`SELECT id, ${sessionColumn} AS own, ${writerColumn} AS writer FROM sdk_sessions`)
    .all();
  const byWriter = new Map<string, string>();
  const byRow = new Map<number, string>();
  for (const { id, own: agentId, writer: writerId } of rows) {
    if (typeof agentId !== "string") continue;
    byRow.set(Number(id), agentId);
    if (typeof writerId === "string") byWriter.set(writerId, agentId);
  }
  return { byWriter, byRow };
}

/** Maps the rows of a table that may not exist; rows mapped to undefined are skipped. */
function* mapRows<T>(db: DatabaseSync, table: string, change: (row: Row) => T | undefined): Generator<T> {
  if (columnsOf(db, table).size === 0) return;
  for (const row of db.prepare(`SELECT * FROM ${table} ORDER BY id`).iterate()) {
    const value = change(row as Row);
    if (value !== undefined) yield value;
  }
}

function toSession(row: Row, columns: ReadonlySet<string>): ForeignSession | undefined {
  const sessionId = text(row[nameOf(columns, SESSION_IDS)!]);
  const startedAtIso = timeOf(row, "started_at");
  if (sessionId === null || startedAtIso === null) return undefined;
  return {
    sessionId,
    project: text(row["project"]) ?? "",
    provider: text(row["platform_source"]) ?? "claude",
    startedAtIso,
    completedAtIso: timeOf(row, "completed_at"),
    prompt: text(row["user_prompt"]),
  };
}

function toForeignRecord(row: Row, { byWriter, byRow }: AgentIds): ForeignRecord | undefined {
  const names = new Set(Object.keys(row));
  const sessionColumn =
    text(row[nameOf(names, SESSION_IDS) ?? ""]) ?? byRow.get(Number(row["session_db_id"]));
  const writerColumn = text(row[nameOf(names, WRITER_IDS) ?? ""]);
  // Records of a deleted session keep only the writer's id.
  const sessionId =
    sessionColumn ?? (writerColumn === null ? null : (byWriter.get(writerColumn) ?? writerColumn));
  const createdAtIso = timeOf(row, "created_at");
  if (sessionId === null || createdAtIso === null) return undefined;
  const promptNumber = row["prompt_number"];
  return {
    sessionId,
    project: text(row["merged_into_project"]) ?? text(row["project"]),
    promptNumber: typeof promptNumber === "number" && promptNumber > 0 ? promptNumber : null,
    createdAtIso,
  };
}

function toPrompt(row: Row, ids: AgentIds): ForeignPrompt | undefined {
  const base = toForeignRecord(row, ids);
  const prompt = text(row["prompt_text"]);
  return base === undefined || prompt === null ? undefined : { ...base, prompt };
}

function toObservation(row: Row, ids: AgentIds): ForeignObservation | undefined {
  const base = toForeignRecord(row, ids);
  if (base === undefined) return undefined;
  return {
    ...base,
    type: text(row["type"]) ?? "discovery",
    title: text(row["title"]),
    subtitle: text(row["subtitle"]),
    text: text(row["text"]),
    narrative: text(row["narrative"]),
    facts: list(row["facts"]),
    concepts: list(row["concepts"]),
    filesRead: list(row["files_read"]),
    filesModified: list(row["files_modified"]),
  };
}

function toSummary(row: Row, ids: AgentIds): ForeignSummary | undefined {
  const base = toForeignRecord(row, ids);
  if (base === undefined) return undefined;
  return {
    ...base,
    request: text(row["request"]),
    investigated: text(row["investigated"]),
    learned: text(row["learned"]),
    completed: text(row["completed"]),
    nextSteps: text(row["next_steps"]),
    notes: text(row["notes"]),
    filesRead: list(row["files_read"]),
    filesModified: list(row["files_edited"]),
  };
}

function text(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value : null;
}

/** Parses a JSON list; older versions wrote one entry per line, or a comma-separated line. */
function list(value: unknown): string[] {
  const raw = text(value);
  if (raw === null) return [];
  try {
    const parsed: unknown = JSON.parse(raw);
    if (Array.isArray(parsed))
      return parsed.filter((entry) => typeof entry === "string" && entry.trim() !== "");
    return typeof parsed === "string" ? [parsed] : [];
  } catch {
    return raw.split(/\n|,\s/).flatMap((part) => text(part.replace(/^\s*[-*]\s+/, "").trim()) ?? []);
  }
}

/** Prefers the epoch number, because some versions wrote the text in local time. */
function timeOf(row: Row, column: string): string | null {
  const epoch = row[`${column}_epoch`];
  const raw = row[column];
  const ms =
    typeof epoch === "number" && epoch > 0
      ? epoch < 1e11
        ? epoch * 1_000
        : epoch
      : typeof raw === "string"
        ? Date.parse(raw)
        : Number.NaN;
  const time = new Date(ms);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}
