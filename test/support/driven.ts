// Driven sessions in a scratch home: the real Agent SDK and the real Claude Code against the fake API.

import { claude as claudeAgent } from "../../src/agents/claude/claude.ts";
import { type StartInput, StartRequest } from "../../src/control/control-contract.ts";
import type { DrivenSessions, EnvelopeStore, SessionLocks } from "../../src/control/control-ports.ts";
import { type DrivenSessionsOptions, openDrivenSessions } from "../../src/control/driven-sessions.ts";
import type { Envelope, EnvelopeType } from "../../src/control/envelope.ts";
import { createMemoryEnvelopeStore } from "../../src/control/memory-envelope-store.ts";
import { openClaudeProcesses } from "../../src/control/process/claude-processes.ts";
import { realWorld } from "../../src/control/real-world.ts";
import { decide } from "../../src/policy/decide.ts";
import { EMPTY_POLICY } from "../../src/policy/rule.ts";
import { claudeBinary, claudeEnv, createScratch, type Scratch } from "./claude.ts";
import { type FakeApi, openFakeApi, type Script } from "./fake-api.ts";
import { PATIENCE_MS } from "./patience.ts";

export interface DrivenScratch {
  readonly scratch: Scratch;
  readonly api: FakeApi;
  readonly sessions: DrivenSessions;
  readonly store: EnvelopeStore;
  /** Starts a session in the project and attaches to it. */
  start(request?: Partial<StartInput>): Promise<AttachedSession>;
  watch(sessionId: string): Promise<AttachedSession>;
  /** Opens another driver over the same store and home. */
  reopen(options?: Partial<DrivenSessionsOptions>): DrivenScratch;
}

export interface AttachedSession {
  readonly sessionId: string;
  /** Every envelope received, including deltas. */
  readonly envelopes: readonly Envelope[];
  ofType<Type extends EnvelopeType>(type: Type): readonly Extract<Envelope, { readonly type: Type }>[];
  /** The first matching envelope of that type, received already or later. */
  waitFor<Type extends EnvelopeType>(
    type: Type,
    matches?: (envelope: Extract<Envelope, { readonly type: Type }>) => boolean,
  ): Promise<Extract<Envelope, { readonly type: Type }>>;
  /** Waits until this many results arrived and the session is idle. */
  untilIdle(results?: number): Promise<void>;
  states(): readonly string[];
  send(text: string, interrupt?: boolean): Promise<string>;
  detach(): void;
}

export async function openDriven(
  script: Script,
  options: Partial<DrivenSessionsOptions> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<DrivenScratch> {
  const scratch = await createScratch();
  const api = await openFakeApi(script);
  scratch.onCleanup(() => api.close());
  const fullEnv = { ...claudeEnv(scratch, { api }), ...env };
  return createDrivenScratch(scratch, api, createMemoryEnvelopeStore(), { env: fullEnv, ...options });
}

function createDrivenScratch(
  scratch: Scratch,
  api: FakeApi,
  store: EnvelopeStore,
  baseOptions: Partial<DrivenSessionsOptions>,
): DrivenScratch {
  const { env = claudeEnv(scratch, { api }) } = baseOptions;
  const processes = openClaudeProcesses({ env, onNotice: () => undefined });
  const sessions = openDrivenSessions({
    answers: claudeAgent.answers,
    store,
    processes,
    locks: createInMemoryLocks(),
    trust: {
      read: async () => ({ trusted: false, settingSources: ["user"], mcpServers: {}, problems: [] }),
    },
    finder: {
      report: async () => ({
        sdk: { found: true, version: null, message: null },
        claude: { path: claudeBinary, version: null, message: null },
        login: "api_key",
        usable: true,
        billing: "An API key in the environment is billed.",
      }),
    },
    judge: (request) => decide(EMPTY_POLICY, request, realWorld(env)),
    log: null,
    env,
    home: null,
    hooks: {},
    projectOf: (cwd) => cwd,
    config: { maxSessions: 4, idleMinutes: null, maxBudgetUsd: null, billing: "api" },
    now: Date.now,
    onNotice: () => undefined,
    ...baseOptions,
  });
  scratch.onCleanup(async () => {
    await sessions.closeAll();
    await processes.close();
  });

  async function watch(sessionId: string): Promise<AttachedSession> {
    const envelopes: Envelope[] = [];
    const waiting = new Set<() => void>();
    const attached = await sessions.attach(sessionId, 0, (envelope) => {
      envelopes.push(envelope);
      for (const check of [...waiting]) check();
    });
    const until = (isMet: () => boolean, description: string): Promise<void> =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(
            new Error(
              `never came: ${description}; there is ${JSON.stringify(envelopes.slice(-40).map(describe))}`,
            ),
          );
        }, PATIENCE_MS);
        const check = (): void => {
          if (!isMet()) return;
          waiting.delete(check);
          clearTimeout(timer);
          resolve();
        };
        waiting.add(check);
        check();
      });
    const watched: AttachedSession = {
      sessionId,
      envelopes,
      ofType: (type) => envelopes.filter((envelope) => envelope.type === type) as never,
      async waitFor(type, matches = () => true) {
        const find = () => watched.ofType(type).find(matches);
        await until(() => find() !== undefined, type);
        return find()!;
      },
      async untilIdle(results = 1) {
        await until(
          () =>
            watched.ofType("result").length >= results && watched.ofType("state").at(-1)?.state === "idle",
          `${results} results and idle`,
        );
      },
      states: () => watched.ofType("state").map(({ state }) => state),
      send: async (text, interrupt = false) =>
        (await sessions.send(sessionId, { text, images: [], interrupt })).messageId,
      detach: () => attached.close(),
    };
    return watched;
  }

  return {
    scratch,
    api,
    sessions,
    store,
    watch,
    async start(request = {}) {
      const session = await sessions.start(StartRequest.parse({ cwd: scratch.project, ...request }));
      return watch(session.sessionId);
    },
    reopen: (options = {}) => createDrivenScratch(scratch, api, store, { ...baseOptions, ...options }),
  };
}

export function createInMemoryLocks(): SessionLocks {
  const held = new Set<string>();
  return {
    claim(id) {
      if (held.has(id)) return { type: "busy", by: "another" };
      held.add(id);
      return { type: "taken", release: () => void held.delete(id) };
    },
  };
}

function describe(envelope: Envelope): string {
  return envelope.type === "state" ? envelope.state : envelope.type;
}
