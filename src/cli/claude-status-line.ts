import { basename } from "node:path";
import { z } from "zod";
import { type Limits, limitsText, NO_LIMITS } from "../monitor/limits.ts";
import type { SessionSnapshot } from "../serve/contract.ts";
import { oneLine } from "../shown/plain-text.ts";
import { microsText } from "./amounts.ts";
import { needText } from "./status-line.ts";

const Window = z.object({ used_percentage: z.number(), resets_at: z.number() });

/** What Claude Code pipes to its `statusLine` command, of which every part may be missing. */
export const StatusLineInput = z.object({
  session_id: z.string().optional().catch(undefined),
  cwd: z.string().optional().catch(undefined),
  model: z.object({ display_name: z.string() }).optional().catch(undefined),
  workspace: z.object({ current_dir: z.string() }).optional().catch(undefined),
  worktree: z.object({ branch: z.string() }).optional().catch(undefined),
  cost: z.object({ total_cost_usd: z.number() }).optional().catch(undefined),
  context_window: z.object({ used_percentage: z.number().nullable() }).optional().catch(undefined),
  rate_limits: z
    .object({
      five_hour: Window.optional().catch(undefined),
      seven_day: Window.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});
export type StatusLineInput = z.infer<typeof StatusLineInput>;

/** Null for what is no such input at all. */
export function parseStatusLineInput(text: string): StatusLineInput | null {
  try {
    const parsed = StatusLineInput.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/** The usage limits it tells; its times are in seconds. */
export function toldLimits({ rate_limits: told }: StatusLineInput): Limits {
  const window = (from: z.infer<typeof Window> | undefined): Limits["fiveHour"] => {
    const resets = new Date((from?.resets_at ?? Number.NaN) * 1_000);
    if (from === undefined || !Number.isFinite(resets.getTime())) return null;
    return { usedPercent: from.used_percentage, resetsAtIso: resets.toISOString() };
  };
  return told === undefined
    ? NO_LIMITS
    : { fiveHour: window(told.five_hour), sevenDay: window(told.seven_day) };
}

/** `Opus 5.5 · ctx 42% · $0.12 · feat/pay | 2 others need you | 5h 35% · 7d 12%`. */
export function claudeStatusLine(
  input: StatusLineInput | null,
  sessions: readonly SessionSnapshot[],
  limits: Limits,
): string {
  const own = sessions.find(({ sessionId }) => sessionId === input?.session_id);
  const others = sessions.filter((session) => session !== own && session.needsPerson);
  const folder = input?.workspace?.current_dir ?? input?.cwd;
  const percent = input?.context_window?.used_percentage ?? null;
  const cost = input?.cost?.total_cost_usd ?? 0;
  const here = [
    input?.model?.display_name,
    percent === null ? null : `ctx ${Math.round(percent)}%`,
    cost < 0.005 ? null : microsText(cost * 1_000_000),
    input?.worktree?.branch ?? own?.gitBranch ?? (folder === undefined ? null : basename(folder)),
  ];
  const parts = [
    here.filter(Boolean).join(" · "),
    others.length === 0 ? null : needText(others, "other"),
    limitsText(limits),
  ];
  return oneLine(parts.filter(Boolean).join(" | "));
}
