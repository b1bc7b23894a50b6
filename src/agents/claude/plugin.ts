import type { PluginFormat } from "../installer.ts";

export const plugin: PluginFormat = {
  shell: {
    user: `\${CLAUDE_CONFIG_DIR:-$HOME/.claude}/settings.json`,
    project: `"$CLAUDE_PROJECT_DIR/.claude/settings"`,
    isMoved: `[ "$CLAUDE_CONFIG_DIR" ]`,
  },
  files(version, hooks) {
    const description = "Records what Claude Code does through its hooks, without slowing it down.";
    const author = { name: "Hookline" };
    return {
      ".claude-plugin/plugin.json": { name: "hookline", version, description, author, license: "Apache-2.0" },
      ".claude-plugin/marketplace.json": {
        name: "hookline",
        description: "Hookline, installed from this folder.",
        owner: author,
        plugins: [{ name: "hookline", source: "./", description, version }],
      },
      "hooks/hooks.json": { description, hooks },
    };
  },
};
