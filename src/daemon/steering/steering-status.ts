import type { Config } from "../../config.ts";
import type { Card } from "../../control/control-contract.ts";
import type { DrivenSessions } from "../../control/control-ports.ts";
import type { Holds } from "../../control/terminal/holds.ts";
import type { DaemonStatus } from "../../serve/contract.ts";
import type { ControlRows } from "../../store/control-rows.ts";
import type { Watch } from "../watching/watching.ts";
import type { SteeringRules } from "./open-rules.ts";

export interface StatusParts {
  readonly config: () => Config;
  readonly control: <T>(work: (rows: ControlRows) => Promise<T>) => Promise<T>;
  readonly rules: SteeringRules;
  readonly driven: DrivenSessions;
  readonly holds: Holds;
  readonly watch: Watch;
  readonly nowMs: () => number;
}

const DAY_MS = 24 * 3_600_000;

export async function steeringStatus(parts: StatusParts): Promise<NonNullable<DaemonStatus["steering"]>> {
  const { config, control, rules, driven, holds, nowMs } = parts;
  const troubles = rules.troubles();
  const { guard, approve } = config();
  const open = driven.list().filter(({ state }) => state !== "closed");
  const cards = [...driven.cards(), ...holds.cards()];
  return {
    guard: guard.on ? (guard.failClosed ? "closed" : "open") : "off",
    approve: approve.on,
    driven: {
      running: open.filter(({ state }) => state !== "queued").length,
      waiting: open.filter(({ pending }) => pending.length > 0).length,
      queued: open.filter(({ state }) => state === "queued").length,
    },
    requests: {
      pending: countPending(cards, parts),
      lost: cards.filter(({ status }) => status === "lost").length,
    },
    rules: troubles,
    unchecked: await control((rows) => rows.unchecked(new Date(nowMs() - DAY_MS).toISOString())),
  };
}

/** Those that are not held, too; one that was just settled may still be recorded as waiting. */
function countPending(cards: readonly Card[], { watch, holds }: StatusParts): number {
  const status = new Map(cards.map((card) => [card.id, card.status]));
  for (const { requestId } of watch.waiting().flatMap(({ requests }) => requests))
    if (!status.has(requestId)) status.set(requestId, holds.get(requestId)?.status ?? "terminal");
  return [...status.values()].filter((one) => one === "pending" || one === "terminal").length;
}
