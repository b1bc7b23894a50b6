import { defineCommand } from "citty";
import { type UninstallResult, uninstallHooks } from "../hook/install.ts";
import { agent } from "./agent.ts";
import { plural } from "./amounts.ts";
import { scopeArgs, toScope } from "./install.ts";
import { print, printJson } from "./output.ts";
import { type McpRegistration, releaseMcp, unregisterMcp } from "./register-mcp.ts";

export const uninstallCommand = defineCommand({
  meta: { name: "uninstall", description: `Uninstall hooks from ${agent.label}` },
  args: scopeArgs,
  run: async ({ args }) => {
    const dryRun = args["dry-run"] ?? false;
    const result = await uninstallHooks({ agent, scope: toScope(args.scope), dryRun });
    const mcp = await removeMcp(result);
    if (args.json) printJson(result);
    else print(uninstallText(result, mcp?.changed ? mcp.file : null));
  },
});

/** The server is in the user's own file, so a user-scope uninstall always removes it. */
function removeMcp({ scope, settings, remaining, dryRun }: UninstallResult): Promise<McpRegistration | null> {
  const { installer } = agent;
  if (scope === "user") return unregisterMcp({ installer, dryRun });
  return releaseMcp({ installer, dryRun, wantedBy: settings, isLast: remaining.length === 0 });
}

function uninstallText(result: UninstallResult, mcpFile: string | null): string {
  const { settings, scope, dryRun, removedHandlers } = result;
  const dataText = `Recorded data stays in ${result.home}.`;
  const noHooksText = `no Hookline hooks in ${settings} (${scope} scope).`;
  if (!result.changed && mcpFile === null) return `Nothing to change: ${noHooksText} ${dataText}`;
  const lines = [
    !result.changed
      ? noHooksText
      : result.removedFile
        ? `${dryRun ? "Would remove" : "Removed"} ${settings} (${scope} scope); it contained only ${plural(removedHandlers, "Hookline hook")}.`
        : `${dryRun ? "Would remove" : "Removed"} ${plural(removedHandlers, "hook")} from ${settings} (${scope} scope); other settings unchanged.`,
    ...(mcpFile === null
      ? []
      : [`${dryRun ? "Would remove" : "Removed"} Hookline's MCP server from ${mcpFile}.`]),
    dataText,
  ];
  if (result.remaining.length > 0) lines.push(`Still installed: ${result.remaining.join(", ")}.`);
  else if (!dryRun && result.recording)
    lines.push("The daemon is still running; stop it with `hookline down`.");
  return lines.join("\n");
}
