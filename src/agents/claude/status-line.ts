import { z } from "zod";
import type { StatusLineInput, StatusLineSource, UsageWindow } from "../status-line-source.ts";

const WindowInput = z.object({ used_percentage: z.number(), resets_at: z.number() });

/** What Claude Code pipes to its `statusLine` command; any part may be missing. */
const Input = z.object({
  session_id: z.string().optional().catch(undefined),
  cwd: z.string().optional().catch(undefined),
  model: z.object({ display_name: z.string() }).optional().catch(undefined),
  workspace: z.object({ current_dir: z.string() }).optional().catch(undefined),
  worktree: z.object({ branch: z.string() }).optional().catch(undefined),
  cost: z.object({ total_cost_usd: z.number() }).optional().catch(undefined),
  context_window: z.object({ used_percentage: z.number().nullable() }).optional().catch(undefined),
  rate_limits: z
    .object({
      five_hour: WindowInput.optional().catch(undefined),
      seven_day: WindowInput.optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

export const statusLine: StatusLineSource = {
  read(text) {
    try {
      const parsed = Input.safeParse(JSON.parse(text));
      return parsed.success ? toStatusLineInput(parsed.data) : null;
    } catch {
      return null;
    }
  },
};

function toStatusLineInput(input: z.infer<typeof Input>): StatusLineInput {
  return {
    sessionId: input.session_id ?? null,
    folder: input.workspace?.current_dir ?? input.cwd ?? null,
    model: input.model?.display_name ?? null,
    branch: input.worktree?.branch ?? null,
    costUsd: input.cost?.total_cost_usd ?? null,
    contextPercent: input.context_window?.used_percentage ?? null,
    limits: {
      fiveHour: toWindow(input.rate_limits?.five_hour),
      sevenDay: toWindow(input.rate_limits?.seven_day),
    },
  };
}

/** Claude Code's times are in seconds. */
function toWindow(window: z.infer<typeof WindowInput> | undefined): UsageWindow | null {
  const resets = new Date((window?.resets_at ?? Number.NaN) * 1_000);
  if (window === undefined || !Number.isFinite(resets.getTime())) return null;
  return { usedPercent: window.used_percentage, resetsAtIso: resets.toISOString() };
}
