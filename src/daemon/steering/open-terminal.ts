import { claude } from "../../agents/claude/claude.ts";
import type { Config } from "../../config.ts";
import { localWorld } from "../../control/local-world.ts";
import type { Judge } from "../../control/open-judge.ts";
import { createGuard, type Guard } from "../../control/terminal/guard.ts";
import { createHolds } from "../../control/terminal/hold-requests.ts";
import type { Holds } from "../../control/terminal/holds.ts";
import { createInbox } from "../../control/terminal/inbox.ts";
import { createPromptGuard, type PromptGuard } from "../../control/terminal/prompt-guard.ts";
import { createViewers } from "../../control/terminal/viewers.ts";
import type { HooklineEvent } from "../../event/event.ts";
import type { ControlPorts } from "../../serve/control-ports.ts";
import type { ControlRows } from "../../store/control-rows.ts";
import type { Base } from "../base.ts";
import type { Recording } from "../recording.ts";
import type { Monitor } from "../watching/watching.ts";
import type { SteeringRules } from "./open-rules.ts";

export interface TerminalParts {
  readonly config: () => Config;
  readonly control: <T>(work: (rows: ControlRows) => Promise<T>) => Promise<T>;
  readonly rules: SteeringRules;
  readonly judge: Judge;
  readonly monitor: Monitor;
  readonly isDriven: (sessionId: string) => boolean;
  readonly record: (event: HooklineEvent) => void;
  readonly onCards: (sessionId: string) => void;
}

/** Features for terminal sessions: guarding, answering, sending. */
export interface Terminal {
  readonly guard: Guard;
  readonly promptGuard: PromptGuard;
  readonly holds: Holds;
  readonly ports: Pick<ControlPorts, "terminal" | "sendToTerminal">;
}

export function openTerminal(base: Base, recording: Recording, parts: TerminalParts): Terminal {
  const { nowMs } = base;
  const viewers = createViewers(nowMs);
  const holds = openHolds(base, recording, parts, viewers);
  const inbox = openInbox(base, parts);
  return {
    guard: openGuard(base, recording, parts),
    promptGuard: openPromptGuard(base, recording, parts),
    holds,
    ports: {
      terminal: {
        cards: () => holds.cards(),
        get: (id) => holds.get(id),
        answer: (id, answer) => holds.answer(id, answer),
        reportViewer: ({ looking, ...view }) =>
          looking ? viewers.update(view) : viewers.remove(view.viewer),
      },
      sendToTerminal: (message) => inbox.sendToTerminal(message),
    },
  };
}

function openGuard({ env, nowMs, notice }: Base, recording: Recording, parts: TerminalParts): Guard {
  const { config, rules, judge, isDriven, record } = parts;
  return createGuard({
    policy: ({ projectPath }) => rules.policyOf(projectPath),
    judge: judge.judge,
    world: localWorld(env),
    isDriven,
    guard: () => config().guard,
    projectOf: recording.projectOf,
    mayRecord: recording.mayRecord,
    record,
    onError: (message, cause) => notice(`${message}: ${(cause as Error).message}`),
    nowMs,
  });
}

function openPromptGuard({ agents, nowMs }: Base, recording: Recording, parts: TerminalParts): PromptGuard {
  const { rules, isDriven, record } = parts;
  return createPromptGuard({
    rules: ({ projectPath }) => rules.joined(projectPath).prompts,
    isDriven,
    prompts: agents.prompts,
    projectOf: recording.projectOf,
    mayRecord: recording.mayRecord,
    record,
    nowMs,
  });
}

function openHolds(
  { nowMs, notice }: Base,
  { projectOf, mayRecord }: Recording,
  { config, control, isDriven, monitor, record, onCards }: TerminalParts,
  viewers: ReturnType<typeof createViewers>,
): Holds {
  return createHolds({
    isOn: () => config().approve.on,
    get holdMs() {
      return config().approve.holdSeconds * 1_000;
    },
    get headless() {
      return config().approve.headless;
    },
    nowMs,
    projectOf,
    isDriven,
    viewers,
    session: monitor.snapshot,
    // Unknown counts as not recorded, so the request is not considered over.
    isRecorded: (requestId) =>
      control((rows) => rows.hasEvent(requestId)).catch((error: Error) => {
        notice(`looking up a request failed: ${error.message}`);
        return false;
      }),
    mayRecord,
    record,
    onChange: ({ sessionId }) => onCards(sessionId),
  });
}

function openInbox({ env }: Base, { config, monitor }: TerminalParts) {
  const { label, liveness } = claude;
  return createInbox({
    isOn: () => config().approve.messages,
    label,
    liveness,
    configDirs: () => liveness.configDirs(env, []),
    modeOf: (sessionId) => monitor.snapshot(sessionId)?.permissionMode ?? null,
  });
}
