import { pathToFileURL } from "node:url";
import type { Env } from "../home.ts";
import { openDatabase } from "../store/sqlite/database.ts";
import { runProgram } from "./programs.ts";

export type PagesResult =
  | { readonly type: "sound" }
  | { readonly type: "damaged"; readonly why: string }
  | { readonly type: "unfinished"; readonly why: string };

/** SQLite blocks until it is done, so only a separate process can have a time limit. */
export async function quickCheckInChild(path: string, env: Env, limitMs: number): Promise<PagesResult> {
  const script =
    "const [, url, path] = process.argv; const { quickCheck } = await import(url);" +
    "process.stdout.write(JSON.stringify(quickCheck(path)));";
  const args = [
    ...process.execArgv.filter((arg) => /^--(experimental-strip-types|disable-warning)/.test(arg)),
    "--input-type=module",
    "-e",
    script,
    pathToFileURL(import.meta.filename).href,
    path,
  ];
  const output = await runProgram(process.execPath, args, env, limitMs);
  try {
    return JSON.parse(output) as PagesResult;
  } catch {
    return { type: "unfinished", why: `no answer within ${limitMs / 1000} s` };
  }
}

const SQLITE_CORRUPT = 11;
const SQLITE_NOTADB = 26;

export function quickCheck(path: string): PagesResult {
  try {
    const db = openDatabase(path, { readOnly: true });
    try {
      const messages = db.raw
        .prepare("PRAGMA quick_check(3)")
        .all()
        .map((row) => String(row["quick_check"]));
      return messages[0] === "ok"
        ? { type: "sound" }
        : { type: "damaged", why: messages.join("; ").replaceAll("\n", " ") };
    } finally {
      db.close();
    }
  } catch (error) {
    const code = ((error as { errcode?: number }).errcode ?? 0) % 256;
    const why = (error as Error).message;
    return code === SQLITE_CORRUPT || code === SQLITE_NOTADB
      ? { type: "damaged", why }
      : { type: "unfinished", why };
  }
}
