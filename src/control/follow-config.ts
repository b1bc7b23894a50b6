import { statSync } from "node:fs";
import { AppError } from "../app-error.ts";
import { type Config, loadConfig } from "../config.ts";
import type { Env, Home } from "../home.ts";

/** The configuration as the file says now: `install --guard` holds without a restart. One that is broken changes nothing. */
export function followConfig(home: Home, env: Env, first: Config): () => Config {
  let config = first;
  let seen = stamp(home.configFile);
  return () => {
    const now = stamp(home.configFile);
    if (now === seen) return config;
    seen = now;
    try {
      config = loadConfig(home, env).config;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    return config;
  };
}

function stamp(file: string): string {
  try {
    const { mtimeNs, size, ino } = statSync(file, { bigint: true });
    return `${mtimeNs} ${size} ${ino}`;
  } catch {
    return "none";
  }
}
