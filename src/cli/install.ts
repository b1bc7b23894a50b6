import { realpathSync } from "node:fs";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { resolveHome } from "../home.ts";
import { type InstallResult, installHooks, type Scope } from "../hook/install.ts";
import { print, printJson } from "./output.ts";
import { type McpRegistration, registerMcp } from "./register-mcp.ts";
import { rememberStreamPath } from "./start-daemon.ts";

/** Shared with `uninstall`. */
export const scopeArgs = {
  scope: { type: "string", default: "user", description: "user (~/.claude) or project (./.claude)" },
  "dry-run": { type: "boolean", description: "Say what would be done; write nothing" },
  json: { type: "boolean", description: "Print the result as JSON" },
} as const;

export const installCommand = defineCommand({
  meta: { name: "install", description: "Add Hookline's hooks to Claude Code's settings" },
  args: {
    ...scopeArgs,
    mcp: { type: "boolean", description: "Also register `hookline mcp` with Claude Code" },
  },
  run: async ({ args }) => {
    const result = await installHooks({
      scope: toScope(args.scope),
      dryRun: args["dry-run"] ?? false,
      launcher: { nodePath: process.execPath, entry: realpathSync(process.argv[1]!) },
    });
    if (!args["dry-run"]) rememberStreamPath(resolveHome(), process.env);
    const mcp = args.mcp
      ? await registerMcp({ dryRun: args["dry-run"] ?? false, entry: realpathSync(process.argv[1]!) })
      : null;
    if (args.json) printJson({ ...result, mcp });
    else
      print(
        [installText(result), ...(mcp === null ? [] : [mcpText(mcp, args["dry-run"] ?? false)])].join("\n"),
      );
  },
});

export function toScope(value: string): Scope {
  if (value === "user" || value === "project") return value;
  throw new AppError("usage", `--scope is "user" or "project", not "${value}".`);
}

function mcpText({ file, changed }: McpRegistration, dryRun: boolean): string {
  if (!changed) return `${file} has Hookline's MCP server.`;
  return `${dryRun ? "Would register" : "Registered"} Hookline's MCP server in ${file}: search, timeline, get_observations, sessions, waiting.`;
}

function installText(result: InstallResult): string {
  const { settings, scope, handlers, events, dryRun } = result;
  if (!result.changed) return `Nothing to change: ${settings} (${scope} scope) has Hookline's hooks.`;
  const verb = dryRun ? "Would write" : "Wrote";
  const parts = [
    handlers.added && `${handlers.added} hooks added`,
    handlers.updated && `${handlers.updated} brought up to date`,
    handlers.removed && `${handlers.removed} old ones removed`,
  ].filter(Boolean);
  const lines = [
    `${verb} ${settings} (${scope} scope${result.createdFile ? ", a new file" : ""}): ${parts.join(", ")}, for ${events} events.`,
    `${dryRun ? "Events would be" : "Events are"} recorded into ${result.spool}.`,
  ];
  if (dryRun) return lines.join("\n");
  return [
    ...lines,
    "",
    "To verify:",
    `  claude -p "say hi"     then   hookline tail     shows the session's events`,
    "  /hooks                 in Claude Code lists the hooks",
    `  hookline uninstall${scope === "project" ? " --scope project" : ""}     takes them out again`,
  ].join("\n");
}
