import { compareVersions } from "../compare-versions.ts";
import type { Check, Outcome } from "./check.ts";
import type { CheckContext } from "./check-context.ts";

/** Same as in package.json and bin/hookline. */
export const MIN_NODE = "22.16.0";

export const runtimeChecks: readonly Check[] = [
  { code: "platform_supported", run: checkPlatform },
  { code: "node_version", run: checkNode },
  { code: "sqlite_search", run: () => checkSqlite(tryFullText) },
];

function checkPlatform({ agent, platform }: CheckContext): Outcome {
  if (platform === "linux" || platform === "darwin")
    return { status: "ok", found: `${platform === "linux" ? "Linux" : "macOS"} is supported.` };
  return {
    status: "fail",
    found: `Hookline runs on Linux and macOS, not on ${platform === "win32" ? "Windows" : platform}.`,
    remedy: `Run ${agent.label} and Hookline inside WSL.`,
  };
}

function checkNode({ nodeVersion }: CheckContext): Outcome {
  if (compareVersions(nodeVersion, MIN_NODE) >= 0)
    return { status: "ok", found: `This is Node ${nodeVersion}.` };
  return {
    status: "fail",
    found: `This is Node ${nodeVersion}; ${MIN_NODE} or newer is needed.`,
    remedy: "Install a newer Node.js.",
  };
}

/** A Node built with its own SQLite may lack the module or full-text search. */
export async function checkSqlite(tryFeature: () => Promise<void>): Promise<Outcome> {
  try {
    await tryFeature();
    return { status: "ok", found: "SQLite has full-text search." };
  } catch (error) {
    return {
      status: "fail",
      found: `This Node's SQLite lacks a required feature: ${(error as Error).message}.`,
      remedy: "Use Node.js from nodejs.org, which includes SQLite with FTS5.",
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
