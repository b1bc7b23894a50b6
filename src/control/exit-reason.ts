/** Why an agent's process exited, from what the SDK threw; null if it threw nothing. */
export function exitReason(failure: unknown): { readonly code: string; readonly message: string } {
  if (failure === null) return { code: "process_exit", message: "Claude Code exited." };
  const message = failure instanceof Error ? failure.message : String(failure);
  const code = REASONS.find(([pattern]) => pattern.test(message))?.[1] ?? "sdk_failed";
  return { code, message };
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/No conversation found/i, "resume_unknown"],
  [/already in use/i, "session_busy"],
  [/onFailure|does not support/i, "claude_too_old"],
  [/executable not found|ENOENT|native binary not found/i, "claude_missing"],
  [/terminated by signal|exited with code|process exited/i, "process_exit"],
];
