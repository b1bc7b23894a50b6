import type { HookedAgent } from "../agents/installer.ts";
import { pluginHookEntries } from "./commands.ts";

/** The generated files of `plugin/`, by path. `vitest run src/hook/plugin-files -u` writes them. */
export function pluginFiles(agent: HookedAgent, version: string): Readonly<Record<string, string>> {
  const { plugin } = agent.installer;
  if (plugin === undefined) return {};
  const files = plugin.files(version, pluginHookEntries(agent, plugin));
  return Object.fromEntries(
    Object.entries(files).map(([path, value]) => [path, `${JSON.stringify(value, null, 2)}\n`]),
  );
}
