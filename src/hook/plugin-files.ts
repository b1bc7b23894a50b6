import { pluginHookEntries } from "./commands.ts";

/** The generated files of `plugin/`, by path. `vitest run src/hook/plugin-files -u` writes them. */
export function pluginFiles(version: string): Readonly<Record<string, string>> {
  const description = "Records what Claude Code does through its hooks, without slowing it down.";
  const author = { name: "Hookline" };
  return {
    ".claude-plugin/plugin.json": toJson({
      name: "hookline",
      version,
      description,
      author,
      license: "Apache-2.0",
    }),
    ".claude-plugin/marketplace.json": toJson({
      name: "hookline",
      description: "Hookline, installed from this folder.",
      owner: author,
      plugins: [{ name: "hookline", source: "./", description, version }],
    }),
    "hooks/hooks.json": toJson({ description, hooks: pluginHookEntries() }),
  };
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
