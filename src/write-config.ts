import { AppError } from "./app-error.ts";
import { Config, readConfigFile } from "./config.ts";
import { writeAtomically } from "./files/atomic-file.ts";
import { makeFolder } from "./files/make-folder.ts";
import { withWriteError } from "./files/write-error.ts";
import type { Home } from "./home.ts";

/** Sets keys of `config.json` and leaves the rest unchanged. Rejects an invalid value. */
export function writeConfig(home: Home, change: Readonly<Record<string, unknown>>): void {
  const file = { ...readConfigFile(home), ...change };
  const next = Config.safeParse(file);
  if (!next.success)
    throw new AppError(
      "config_invalid",
      next.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}`).join("; "),
    );
  withWriteError(home.configFile, () => {
    makeFolder(home.dir);
    writeAtomically(home.configFile, `${JSON.stringify(file, null, 2)}\n`);
  });
}
