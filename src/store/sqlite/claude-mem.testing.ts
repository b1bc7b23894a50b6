import { DatabaseSync } from "node:sqlite";

/** The schemas of three claude-mem versions. */

export type ClaudeMemVersion = "4.0" | "5.0" | "13.15";

const SCHEMA: Readonly<Record<ClaudeMemVersion, string>> = {
  // Before observations had parts, and without prompts.
  "4.0": `
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, claude_session_id TEXT UNIQUE NOT NULL,
      sdk_session_id TEXT UNIQUE, project TEXT NOT NULL, user_prompt TEXT, started_at TEXT NOT NULL,
      started_at_epoch INTEGER NOT NULL, completed_at TEXT, completed_at_epoch INTEGER, status TEXT NOT NULL);
    CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, sdk_session_id TEXT NOT NULL,
      project TEXT NOT NULL, text TEXT NOT NULL, type TEXT NOT NULL, created_at TEXT NOT NULL,
      created_at_epoch INTEGER NOT NULL);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, sdk_session_id TEXT UNIQUE NOT NULL,
      project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT,
      files_read TEXT, files_edited TEXT, notes TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);`,
  "5.0": `
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, claude_session_id TEXT UNIQUE NOT NULL,
      sdk_session_id TEXT UNIQUE, project TEXT NOT NULL, user_prompt TEXT, started_at TEXT NOT NULL,
      started_at_epoch INTEGER NOT NULL, completed_at TEXT, completed_at_epoch INTEGER, status TEXT NOT NULL,
      worker_port INTEGER, prompt_counter INTEGER DEFAULT 0);
    CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, sdk_session_id TEXT NOT NULL,
      project TEXT NOT NULL, text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT,
      concepts TEXT, files_read TEXT, files_modified TEXT, prompt_number INTEGER, created_at TEXT NOT NULL,
      created_at_epoch INTEGER NOT NULL);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, sdk_session_id TEXT NOT NULL,
      project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT,
      files_read TEXT, files_edited TEXT, notes TEXT, prompt_number INTEGER, created_at TEXT NOT NULL,
      created_at_epoch INTEGER NOT NULL);
    CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, claude_session_id TEXT NOT NULL,
      prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL, created_at TEXT NOT NULL,
      created_at_epoch INTEGER NOT NULL);`,
  "13.15": `
    CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL,
      memory_session_id TEXT UNIQUE, project TEXT NOT NULL, platform_source TEXT NOT NULL DEFAULT 'claude',
      user_prompt TEXT, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, completed_at TEXT,
      completed_at_epoch INTEGER, status TEXT NOT NULL, worker_port INTEGER, prompt_counter INTEGER DEFAULT 0,
      custom_title TEXT);
    CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL,
      project TEXT NOT NULL, text TEXT, type TEXT NOT NULL, title TEXT, subtitle TEXT, facts TEXT, narrative TEXT,
      concepts TEXT, files_read TEXT, files_modified TEXT, prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0,
      created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, content_hash TEXT, generated_by_model TEXT,
      relevance_count INTEGER DEFAULT 0, merged_into_project TEXT, agent_type TEXT, agent_id TEXT, metadata TEXT,
      synced_at INTEGER);
    CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL,
      project TEXT NOT NULL, request TEXT, investigated TEXT, learned TEXT, completed TEXT, next_steps TEXT,
      files_read TEXT, files_edited TEXT, notes TEXT, prompt_number INTEGER, discovery_tokens INTEGER DEFAULT 0,
      created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, merged_into_project TEXT, synced_at INTEGER);
    CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, session_db_id INTEGER,
      content_session_id TEXT NOT NULL, prompt_number INTEGER NOT NULL, prompt_text TEXT NOT NULL,
      created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, synced_at INTEGER);`,
};

export function createClaudeMemFile(path: string, version: ClaudeMemVersion): ClaudeMemFile {
  const db = new DatabaseSync(path);
  db.exec(`PRAGMA journal_mode = WAL; ${SCHEMA[version]}`);
  const insert = (table: string, row: Readonly<Record<string, string | number | null>>): void => {
    const names = Object.keys(row);
    db.prepare(`INSERT INTO ${table} (${names}) VALUES (${names.map(() => "?")})`).run(...Object.values(row));
  };
  return { insert, close: () => db.close() };
}

export interface ClaudeMemFile {
  insert(table: string, row: Readonly<Record<string, string | number | null>>): void;
  close(): void;
}

/** One session with two prompts, two observations and a summary, as far as the version supports them. */
export function createFilledClaudeMemFile(path: string, version: ClaudeMemVersion): ClaudeMemFile {
  const file = createClaudeMemFile(path, version);
  const [sessionColumn, memoryColumn] =
    version === "13.15"
      ? ["content_session_id", "memory_session_id"]
      : ["claude_session_id", "sdk_session_id"];
  const at = (minute: number, column = "created_at") => {
    const time = new Date(Date.UTC(2026, 0, 2, 3, minute));
    return { [column]: time.toISOString(), [`${column}_epoch`]: time.getTime() };
  };
  file.insert("sdk_sessions", {
    [sessionColumn!]: "session-1",
    [memoryColumn!]: "writer-1",
    project: "shop",
    user_prompt: "make the cart faster",
    status: "completed",
    ...at(0, "started_at"),
    ...at(9, "completed_at"),
  });
  if (version !== "4.0") {
    for (const [index, prompt] of ["make the cart faster", "and test it"].entries())
      file.insert("user_prompts", {
        [sessionColumn!]: "session-1",
        prompt_number: index + 1,
        prompt_text: prompt,
        ...at(index),
      });
  }
  const parts: Record<string, string | number> =
    version === "4.0"
      ? { text: "The cart summed twice\nIt called total() in a loop." }
      : {
          title: "The cart summed twice",
          subtitle: "total() was called in a loop",
          narrative: "Now it is called once.",
          facts: '["total() is O(n)","the loop is in cart.ts"]',
          concepts: '["Performance","cart"]',
          files_read: '["src/cart.ts"]',
          files_modified: '["/home/dev/shop/src/cart.ts"]',
          prompt_number: 1,
        };
  file.insert("observations", {
    [memoryColumn!]: "writer-1",
    project: "shop",
    type: "bugfix",
    ...parts,
    ...at(2),
  });
  file.insert("observations", {
    [memoryColumn!]: "writer-1",
    project: "shop",
    type: "discovery",
    ...(version === "4.0" ? { text: "Key found" } : { title: "Key found" }),
    ...(version === "4.0" ? {} : { narrative: "token ghp_0123456789abcdefghijABCDEFGHIJ012345 works" }),
    ...at(3),
  });
  file.insert("session_summaries", {
    [memoryColumn!]: "writer-1",
    project: "shop",
    request: "Make the cart faster",
    investigated: "cart.ts",
    learned: "total() was called in a loop",
    completed: "It is called once",
    next_steps: "Measure it",
    files_read: '["src/cart.ts"]',
    notes: "Ask about taxes",
    ...at(5),
  });
  return file;
}
