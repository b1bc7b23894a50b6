import type { Confidence } from "../agent.ts";
import { asObject, nonEmpty } from "../read-json.ts";

/**
 * Whether Claude Code sent a hook payload. Other agents read its settings too, and run the hooks they find
 * there with similar payloads of their own. A payload that is not clearly theirs counts as Claude Code's,
 * because the guard is off for other agents.
 */
export function recognises(payload: unknown): Confidence {
  const fields = asObject(payload);
  const sessionId = nonEmpty(fields, "session_id");
  const event = nonEmpty(fields, "hook_event_name");
  if (sessionId === undefined || event === undefined) return "none";
  const transcript = nonEmpty(fields, "transcript_path");
  if (transcript !== undefined) {
    if (CLAUDE_TRANSCRIPT.test(transcript)) return "certain";
    if (FOREIGN_FOLDER.test(transcript)) return "none";
  }
  const hasForeignKeys = Object.keys(fields).some((key) => CAMEL_CASE.test(key) || FOREIGN_KEYS.has(key));
  return /^[A-Z]/.test(event) && !hasForeignKeys ? "possible" : "none";
}

/** `<config folder>/projects/<project>/<session>.jsonl`, wherever the config folder is. */
const CLAUDE_TRANSCRIPT = /\/projects\/[^/]+\/[^/]+\.jsonl$/;

/** `~/.codex/…`, `~/.copilot/…`: a hidden folder without Claude Code's layout. */
const FOREIGN_FOLDER = /\/\.(?!claude(?:\/|$))[a-z][\w-]*\//i;

/** Claude Code has no camelCase fields. */
const CAMEL_CASE = /^[a-z]+[A-Z]/;
const FOREIGN_KEYS: ReadonlySet<string> = new Set([
  "timestamp",
  "conversation_id",
  "generation_id",
  "working_dir",
]);
