import { AppError } from "../app-error.ts";
import { type Config, loadConfig } from "../config.ts";
import type { Env, Home } from "../home.ts";
import { fileStamp } from "./follow-rules.ts";

/** Follows the config file: `install --guard` needs no restart. An invalid file changes nothing. */
export function followConfig(home: Home, env: Env, initial: Config): () => Config {
  let config = initial;
  let lastStamp = fileStamp(home.configFile);
  return () => {
    const stamp = fileStamp(home.configFile);
    if (stamp === lastStamp) return config;
    lastStamp = stamp;
    try {
      config = loadConfig(home, env).config;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
    return config;
  };
}
