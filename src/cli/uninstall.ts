import { defineCommand } from "citty";
import { type UninstallResult, uninstallHooks } from "../hook/install.ts";
import { agent } from "./agent.ts";
import { plural } from "./amounts.ts";
import { scopeArgs, toScope } from "./install.ts";
import { print, printJson } from "./output.ts";
import { unregisterMcp } from "./register-mcp.ts";

export const uninstallCommand = defineCommand({
  meta: { name: "uninstall", description: `Take Hookline's hooks out of ${agent.label}'s settings` },
  args: scopeArgs,
  run: async ({ args }) => {
    const dryRun = args["dry-run"] ?? false;
    const result = await uninstallHooks({ agent, scope: toScope(args.scope), dryRun });
    if (result.scope === "user") await unregisterMcp({ installer: agent.installer, dryRun });
    if (args.json) printJson(result);
    else print(uninstallText(result));
  },
});

function uninstallText(result: UninstallResult): string {
  const { settings, scope, dryRun, removedHandlers } = result;
  const kept = `What was recorded stays in ${result.home}.`;
  if (!result.changed)
    return `Nothing to change: ${settings} (${scope} scope) has no hooks of Hookline. ${kept}`;
  const lines = [
    result.removedFile
      ? `${dryRun ? "Would remove" : "Removed"} ${settings} (${scope} scope), which held nothing but ${plural(removedHandlers, "hook")} of Hookline.`
      : `${dryRun ? "Would take" : "Took"} ${plural(removedHandlers, "hook")} out of ${settings} (${scope} scope); the rest of it is as it was.`,
    kept,
  ];
  if (result.remaining.length > 0) lines.push(`Still installed: ${result.remaining.join(", ")}.`);
  else if (!dryRun && result.recording)
    lines.push("The spool folder is still there. `hookline down` stops the daemon.");
  return lines.join("\n");
}
