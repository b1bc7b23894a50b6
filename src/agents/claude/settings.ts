import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { SettingsLocation, SettingsLocations } from "../installer.ts";
import { configDir } from "./config-dir.ts";

const SETTINGS_FILE = "settings.json";
const LOCAL_SETTINGS_FILE = "settings.local.json";

export const settings: SettingsLocations = {
  file: (scope, env, projectDir) =>
    scope === "project"
      ? join(projectFolder(projectDir), SETTINGS_FILE)
      : join(resolve(configDir(env)), SETTINGS_FILE),
  existsIn: (dir) =>
    [SETTINGS_FILE, LOCAL_SETTINGS_FILE].some((name) => existsSync(join(dir, ".claude", name))),
  async chain({ env, projectDir, platform = process.platform, managedDir }) {
    const project = projectFolder(projectDir);
    const managed = managedDir ?? managedFolder(platform);
    const managedFiles = await readdir(join(managed, "managed-settings.d")).catch(() => []);
    const locations: SettingsLocation[] = [
      { scope: "user", path: join(resolve(configDir(env)), SETTINGS_FILE) },
      { scope: "project", path: join(project, SETTINGS_FILE) },
      { scope: "local", path: join(project, LOCAL_SETTINGS_FILE) },
      { scope: "managed", path: join(managed, "managed-settings.json") },
      ...managedFiles
        .filter((name) => name.endsWith(".json") && !name.startsWith("."))
        .sort()
        .map((name) => ({ scope: "managed" as const, path: join(managed, "managed-settings.d", name) })),
    ];
    // In the home folder itself, the project's settings are the user's.
    return locations.filter(
      ({ path }, index) => locations.findIndex((location) => location.path === path) === index,
    );
  },
};

function projectFolder(projectDir: string): string {
  return join(resolve(projectDir), ".claude");
}

function managedFolder(platform: NodeJS.Platform): string {
  return platform === "darwin" ? "/Library/Application Support/ClaudeCode" : "/etc/claude-code";
}
