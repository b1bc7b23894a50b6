import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { SettingsLocation, SettingsLocations } from "../installer.ts";
import { configDir } from "./config-dir.ts";

const NAME = "settings.json";
const LOCAL = "settings.local.json";

export const settings: SettingsLocations = {
  file: (scope, env, projectDir) =>
    scope === "project" ? join(projectFolder(projectDir), NAME) : join(resolve(configDir(env)), NAME),
  existsIn: (dir) => [NAME, LOCAL].some((name) => existsSync(join(dir, ".claude", name))),
  async chain({ env, projectDir, platform = process.platform, managedDir }) {
    const project = projectFolder(projectDir);
    const managed = managedDir ?? managedFolder(platform);
    const more = await readdir(join(managed, "managed-settings.d")).catch(() => []);
    const places: SettingsLocation[] = [
      { scope: "user", path: join(resolve(configDir(env)), NAME) },
      { scope: "project", path: join(project, NAME) },
      { scope: "local", path: join(project, LOCAL) },
      { scope: "managed", path: join(managed, "managed-settings.json") },
      ...more
        .filter((name) => name.endsWith(".json") && !name.startsWith("."))
        .sort()
        .map((name) => ({ scope: "managed" as const, path: join(managed, "managed-settings.d", name) })),
    ];
    // In the home folder itself, the project's settings are the user's.
    return places.filter(({ path }, index) => places.findIndex((place) => place.path === path) === index);
  },
};

function projectFolder(projectDir: string): string {
  return join(resolve(projectDir), ".claude");
}

function managedFolder(platform: NodeJS.Platform): string {
  return platform === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code";
}
