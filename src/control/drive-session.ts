import type { ChildProcess } from "node:child_process";
import type { AnswerFormat } from "../agents/answer-format.ts";
import { requestKindOf } from "../agents/tool-call.ts";
import type { RequestIds } from "./claim-request-id.ts";
import type { ClaudeProcesses, SdkLog } from "./control-ports.ts";
import type { DrivenInput, Effect, Reply } from "./driven-input.ts";
import { createDriven, type Driven, type DrivenBeginning, isOver } from "./driven-state.ts";
import type { EnvelopeBody } from "./envelope.ts";
import { fromSdk } from "./from-sdk.ts";
import { createGate, GATE_TIMEOUT_MS, type Judge } from "./gate.ts";
import { createInputQueue } from "./input-queue.ts";
import { readBaseline } from "./read-baseline.ts";
import type { OpenQuery, Options, PermissionResult, Query, SDKUserMessage } from "./sdk-door.ts";
import { type SessionSetup, toOptions, toPermission, toUserMessage } from "./session-options.ts";
import { createSessionRules, type SessionRules } from "./session-rules.ts";
import { sdkModeOf } from "./step-agent.ts";
import { step } from "./transition.ts";
import { refuseConfigChange } from "./trust/refuse-config-change.ts";
import { whyEnded } from "./why-ended.ts";

export interface SessionParts {
  readonly openQuery: OpenQuery;
  readonly processes: ClaudeProcesses;
  readonly judge: Judge;
  readonly log: SdkLog | null;
  readonly nowIso: () => string;
  readonly requestIds: RequestIds;
  readonly onEnvelopes: (bodies: readonly EnvelopeBody[]) => void;
  readonly gateTimeoutMs?: number;
  readonly answers: AnswerFormat;
}

export interface DrivenSessionDriver {
  state(): Driven;
  pid(): number | null;
  readonly rules: SessionRules;
  /** Folds in what happened and does what follows from it. */
  take(input: DrivenInput): void;
  /** Starts the agent; answers when its process was asked for. `exit` is taken when it is gone. */
  open(setup: SessionSetup): Promise<void>;
  /** Takes files back to where that message found them. */
  rewind(
    messageId: string,
    dryRun: boolean,
  ): Promise<{ readonly ok: boolean; readonly files: readonly string[]; readonly message: string | null }>;
}

/** An interrupt is obeyed within 300 ms; what does not obey is ended. */
const OBEYS_MS = 250;
const ENDS_MS = 3_000;
const STARTS_MS = 15_000;

/** Carries a session between the SDK and the transition: all that is decided is decided there. */
export function createSessionDriver(beginning: DrivenBeginning, parts: SessionParts): DrivenSessionDriver {
  const input = createInputQueue<SDKUserMessage>();
  const replies = new Map<string, (reply: Reply) => void>();
  const rules = createSessionRules();
  let driven = createDriven(beginning);
  let query: Query | null = null;
  let child: ChildProcess | null = null;
  let sessionId = "";
  let stops = 0;

  const isGone = (): boolean => child !== null && (child.exitCode !== null || child.signalCode !== null);

  function take(happened: DrivenInput): void {
    const { state, envelopes, effects } = step(driven, happened);
    driven = state;
    if (envelopes.length > 0) parts.onEnvelopes(envelopes);
    for (const effect of effects) carryOut(effect);
  }

  const effects: {
    readonly [Type in Effect["type"]]: (effect: Extract<Effect, { readonly type: Type }>) => void;
  } = {
    push({ message }) {
      const said = toUserMessage(message);
      parts.log?.write(sessionId, "input", said);
      input.push(said);
    },
    interrupt: ({ dropQueued }) => interrupt(dropQueued),
    agentMode: ({ mode }) => void query?.setPermissionMode(mode).catch(notDone("mode")),
    agentModel: ({ model }) => void query?.setModel(model).catch(notDone("model")),
    stopTask: ({ taskId }) => void query?.stopTask(taskId).catch(() => undefined),
    reply: ({ requestId, reply }) => replies.get(requestId)?.(reply),
    end,
    kill,
  };

  function carryOut(effect: Effect): void {
    const act = effects[effect.type] as (effect: Effect) => void;
    act(effect);
  }

  function interrupt(dropQueued: boolean): void {
    // Not in the SDK's types: what waits behind the turn is dropped as well.
    const asked = (query as unknown as Interruptible | null)?.interrupt({ cancelQueued: dropQueued });
    asked?.catch(notDone("stop"));
    if (!dropQueued) return;
    stops += 1;
    const mine = stops;
    const ifStillStopping = (act: () => void) => () => stops === mine && driven.stopping && act();
    later(OBEYS_MS, ifStillStopping(denyAll));
    // One that has not said a word yet is still starting.
    const patience = driven.init === null ? STARTS_MS : ENDS_MS;
    later(
      patience,
      ifStillStopping(() => take({ type: "stuck" })),
    );
  }

  function denyAll(): void {
    for (const reply of [...replies.values()]) {
      reply({ behavior: "deny", message: "The turn was stopped.", interrupt: true });
    }
  }

  function end(): void {
    input.end();
    query?.close();
    later(ENDS_MS, kill);
  }

  function kill(): void {
    if (child?.pid !== undefined && driven.life !== "closed") void parts.processes.killTree(child.pid);
  }

  function notDone(what: string): (error: unknown) => void {
    return (error) => {
      if (isOver(driven)) return;
      take({
        type: "error",
        code: `${what}_failed`,
        message: error instanceof Error ? error.message : String(error),
      });
    };
  }

  function tellRefused(file: string | null): void {
    const message = `${file ?? "A setting of the project"} changed and is not used: it was not approved like this.`;
    take({ type: "error", code: "config_change_refused", message });
  }

  /** Waits for a person, without a limit, until they answer or the agent takes it back. */
  const canUseTool: NonNullable<Options["canUseTool"]> = (tool, toolInput, options) => {
    const { toolUseID: toolUseId, signal, agentID, decisionReason } = options;
    const decided = gate?.decided(toolUseId);
    const id = parts.requestIds.claim(toolUseId, (taken) => driven.settled.has(taken));
    parts.log?.write(sessionId, "output", { type: "permission_request", toolUseId, tool, input: toolInput });
    return new Promise<PermissionResult>((resolve) => {
      const settle = (reply: Reply): void => {
        if (!replies.delete(id)) return;
        parts.log?.write(sessionId, "input", { type: "permission_reply", toolUseId, ...reply });
        resolve(toPermission(reply, tool));
      };
      replies.set(id, settle);
      signal.addEventListener("abort", () => {
        // With the process gone its end settles it.
        if (!isGone()) take({ type: "withdrawn", requestId: id });
        settle({ behavior: "deny", message: "The request was withdrawn.", interrupt: false });
      });
      if (signal.aborted || driven.mode === "dontAsk") {
        const message = signal.aborted ? "The request was withdrawn." : "Nobody is asked in this mode.";
        settle({ behavior: "deny", message, interrupt: false });
        return;
      }
      take({
        type: "asked",
        request: {
          kind: requestKindOf({ toolName: tool }),
          toolUseId,
          requestId: id === toolUseId ? undefined : id,
          tool,
          input: toolInput,
          reason:
            (decided?.verdict === "ask" ? decided.reason : decisionReason) ?? "Claude Code asks for it.",
          rule: decided?.verdict === "ask" ? decided.rule : null,
          agentId: agentID ?? null,
          agentType: decided?.agentType ?? null,
          sinceIso: parts.nowIso(),
        },
      });
    });
  };

  let gate: ReturnType<typeof createGate> | null = null;

  async function read(from: Query): Promise<void> {
    let failure: unknown = null;
    try {
      for await (const message of from) {
        parts.log?.write(sessionId, "output", message);
        for (const happened of fromSdk(message)) take(happened);
      }
    } catch (error) {
      failure = error;
    }
    // What the process left running ends with it, before anybody hears that it is closed.
    if (child?.pid !== undefined) await parts.processes.killTree(child.pid);
    take({ type: "exit", error: whyEnded(failure) });
    for (const reply of [...replies.values()]) reply(GONE);
  }

  return {
    state: () => driven,
    pid: () => (isGone() ? null : (child?.pid ?? null)),
    rules,
    take,
    async open(setup) {
      sessionId = setup.sessionId;
      const { cwd, projectPath, workspace } = setup;
      gate = createGate({
        judge: parts.judge,
        rules,
        cwd,
        projectPath,
        workspace,
        mode: () => driven.mode,
        onDecision: take,
        timeoutMs: parts.gateTimeoutMs,
        answers: parts.answers,
      });
      const options = toOptions(setup, driven, {
        canUseTool,
        hooks: {
          PreToolUse: [{ onFailure: "block", timeout: gateSeconds(parts), hooks: [gate.preToolUse] }],
          ConfigChange: [refuseConfigChange(tellRefused)],
        },
        spawnClaudeCodeProcess: (command) => {
          child = parts.processes.spawn(command);
          return child as ReturnType<NonNullable<Options["spawnClaudeCodeProcess"]>>;
        },
      });
      query = await parts.openQuery(input, options);
      if (isOver(driven)) end();
      // Changed while it loaded.
      const mode = sdkModeOf(driven.mode);
      if (mode !== options.permissionMode) carryOut({ type: "agentMode", mode });
      if (driven.model !== null && driven.model !== options.model)
        carryOut({ type: "agentModel", model: driven.model });
      void read(query);
      if (setup.resume === null) return;
      const totals = await readBaseline(query);
      if (totals !== null) take({ type: "baseline", totals, inherited: setup.resume.fork });
    },
    async rewind(messageId, dryRun) {
      try {
        const done = await query?.rewindFiles(messageId, { dryRun });
        const [ok, files] = [done?.canRewind ?? false, done?.filesChanged ?? []];
        if (!dryRun) take({ type: "rewind", messageId, files, ok });
        return {
          ok,
          files,
          message: done === undefined ? "The session has not begun." : (done.error ?? null),
        };
      } catch (error) {
        return { ok: false, files: [], message: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

interface Interruptible {
  interrupt(options: { readonly cancelQueued: boolean }): Promise<unknown>;
}

const GONE: Reply = { behavior: "deny", message: "The session has ended.", interrupt: true };

/** Longer than the gate's own limit, which says why. */
function gateSeconds({ gateTimeoutMs = GATE_TIMEOUT_MS }: SessionParts): number {
  return Math.ceil(gateTimeoutMs / 1_000) + 2;
}

function later(ms: number, act: () => unknown): void {
  setTimeout(act, ms).unref();
}
