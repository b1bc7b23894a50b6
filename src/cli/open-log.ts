import { type Config, loadConfig, logFile } from "../config.ts";
import type { Home } from "../home.ts";
import { openFileLogReader } from "../log/file/file-log-reader.ts";
import type { LogReader } from "../log/log.ts";

/** The log of a home, for read-only commands. */
export function openLog(home: Home, config: Config = loadConfig(home).config): LogReader {
  return openFileLogReader(logFile(home, config));
}
