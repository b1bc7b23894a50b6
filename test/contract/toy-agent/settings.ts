import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SettingsPlaces } from "../../../src/agents/installer.ts";

const NAME = "hooks.json";

export const settings: SettingsPlaces = {
  file: (scope, env, projectDir) => join(scope === "user" ? (env["HOME"] ?? "/") : projectDir, ".toy", NAME),
  chain: async ({ env, projectDir }) => [
    { scope: "user", path: join(env["HOME"] ?? "/", ".toy", NAME) },
    { scope: "project", path: join(projectDir, ".toy", NAME) },
  ],
  isIn: (dir) => existsSync(join(dir, ".toy", NAME)),
};
