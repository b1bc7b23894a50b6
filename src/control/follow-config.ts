import { AppError } from "../app-error.ts";
import { type Config, loadConfig } from "../config.ts";
import type { Env, Home } from "../home.ts";
import { stampOf } from "./follow-rules.ts";

/** The configuration as the file says now: `install --guard` holds without a restart. One that is broken changes nothing. */
export function followConfig(home: Home, env: Env, first: Config): () => Config {
  let config = first;
  let seen = stampOf(home.configFile);
  return () => {
    const now = stampOf(home.configFile);
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
