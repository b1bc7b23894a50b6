import type { Config } from "../../config.ts";
import type { Card } from "../../control/control-contract.ts";
import type { DrivenSessions } from "../../control/control-ports.ts";
import type { Holds } from "../../control/terminal/holds.ts";
import type { DaemonStatus } from "../../serve/contract.ts";
import type { ControlRows } from "../../store/control-rows.ts";
import type { Monitor } from "../watching/watching.ts";
import type { SteeringRules } from "./open-rules.ts";

export interface SteeringStatusParts {
  readonly config: () => Config;
  readonly control: <T>(work: (rows: ControlRows) => Promise<T>) => Promise<T>;
  readonly rules: SteeringRules;
  readonly driven: DrivenSessions;
  readonly holds: Holds;
  readonly monitor: Monitor;
  readonly nowMs: () => number;
}

const DAY_MS = 24 * 3_600_000;

export async function readSteeringStatus(
  parts: SteeringStatusParts,
): Promise<NonNullable<DaemonStatus["steering"]>> {
  const { config, control, rules, driven, holds, nowMs } = parts;
  const ruleErrors = rules.errors();
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
    rules: ruleErrors,
    unchecked: await control((rows) => rows.uncheckedCalls(new Date(nowMs() - DAY_MS).toISOString())),
  };
}

/** Includes requests that are not held; one just settled may still be recorded as pending. */
function countPending(cards: readonly Card[], { monitor, holds }: SteeringStatusParts): number {
  const status = new Map(cards.map((card) => [card.id, card.status]));
  for (const { requestId } of monitor.waiting().flatMap(({ requests }) => requests))
    if (!status.has(requestId)) status.set(requestId, holds.get(requestId)?.status ?? "terminal");
  return [...status.values()].filter((cardStatus) => cardStatus === "pending" || cardStatus === "terminal")
    .length;
}
