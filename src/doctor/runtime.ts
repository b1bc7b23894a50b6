import type { Check, Outcome } from "./check.ts";
import { isBefore } from "./programs.ts";
import type { Situation } from "./situation.ts";

/** As package.json and bin/hookline say. */
export const LEAST_NODE = "22.16.0";

export const runtimeChecks: readonly Check[] = [
  { code: "platform_supported", look: lookPlatform },
  { code: "node_version", look: lookNode },
  { code: "sqlite_search", look: () => lookSqlite(tryFullText) },
];

function lookPlatform({ agent, platform }: Situation): Outcome {
  if (platform === "linux" || platform === "darwin")
    return { status: "ok", found: `${platform === "linux" ? "Linux" : "macOS"} is supported.` };
  return {
    status: "fail",
    found: `Hookline runs on Linux and macOS, not on ${platform === "win32" ? "Windows" : platform}.`,
    remedy: `Run ${agent.label} and Hookline inside WSL.`,
  };
}

function lookNode({ nodeVersion }: Situation): Outcome {
  if (!isBefore(nodeVersion, LEAST_NODE)) return { status: "ok", found: `This is Node ${nodeVersion}.` };
  return {
    status: "fail",
    found: `This is Node ${nodeVersion}; ${LEAST_NODE} or newer is needed.`,
    remedy: "Install a newer Node.js.",
  };
}

/** A Node built with its own SQLite may lack the module or the search. */
export async function lookSqlite(tryOut: () => Promise<void>): Promise<Outcome> {
  try {
    await tryOut();
    return { status: "ok", found: "SQLite with full-text search is there." };
  } catch (error) {
    return {
      status: "fail",
      found: `This Node's SQLite lacks what is needed: ${(error as Error).message}.`,
      remedy: "Use the Node.js of nodejs.org, which is built with SQLite and FTS5.",
    };
  }
}

async function tryFullText(): Promise<void> {
  const { openDatabase } = await import("../store/sqlite/database.ts");
  const db = openDatabase(":memory:");
  try {
    db.raw.exec("CREATE VIRTUAL TABLE temp.doctor USING fts5(content)");
  } finally {
    db.close();
  }
}
