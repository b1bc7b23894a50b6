import { ask, type Finding } from "./finding.ts";
import type { InspectedRequest } from "./inspect-request.ts";
import { fieldsOf, toolWords } from "./tool-fields.ts";

const STARTS_LATER = /\b(?:cron|crontab|systemd|systemctl|launchd|launchctl|autostart|mcp)\b/;
const CHANGES =
  /\b(?:add|create|install|enable|register|set|schedule|update|write|load|bootstrap|import|edit)\b/;

/** A tool that installs services, timers or servers for agents: asked about like the equivalent commands. */
export function judgeToolRunsLater({ kind, request, input }: InspectedRequest): Finding | null {
  if (kind !== "other") return null;
  const { all, action } = toolWords(request.toolName.replace(/^mcp__/, ""), fieldsOf(input));
  return STARTS_LATER.test(all) && CHANGES.test(action)
    ? ask("runs-later", `${request.toolName} would change what runs later.`)
    : null;
}
