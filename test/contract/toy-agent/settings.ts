import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SettingsLocations } from "../../../src/agents/installer.ts";

const NAME = "hooks.json";

export const settings: SettingsLocations = {
  file: (scope, env, projectDir) => join(scope === "user" ? (env["HOME"] ?? "/") : projectDir, ".toy", NAME),
  chain: async ({ env, projectDir }) => [
    { scope: "user", path: join(env["HOME"] ?? "/", ".toy", NAME) },
    { scope: "project", path: join(projectDir, ".toy", NAME) },
  ],
  existsIn: (dir) => existsSync(join(dir, ".toy", NAME)),
};
