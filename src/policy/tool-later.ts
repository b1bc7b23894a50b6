import { ask, type Finding } from "./finding.ts";
import type { Subject } from "./subject.ts";
import { fieldsOf, toolWords } from "./tool-fields.ts";

const STARTS_LATER = /\b(?:cron|crontab|systemd|systemctl|launchd|launchctl|autostart|mcp)\b/;
const CHANGES =
  /\b(?:add|create|install|enable|register|set|schedule|update|write|load|bootstrap|import|edit)\b/;

/** A tool that installs services, timers or servers for agents, as the commands that do so are asked about. */
export function laterByTool({ kind, request, input }: Subject): Finding | null {
  if (kind !== "other") return null;
  const { all, acts } = toolWords(request.toolName.replace(/^mcp__/, ""), fieldsOf(input));
  return STARTS_LATER.test(all) && CHANGES.test(acts)
    ? ask("runs-later", `${request.toolName} changes what runs later.`)
    : null;
}
