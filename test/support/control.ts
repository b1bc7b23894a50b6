// A real daemon that drives real Claude Code sessions against the fake API, and its clients.

import { type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { DrivenSession } from "../../src/control/control-contract.ts";
import type { Envelope } from "../../src/control/envelope.ts";
import { claudeBinary, createScratch, type Scratch } from "./claude.ts";
import { type FakeApi, openFakeApi, type Script } from "./fake-api.ts";
import { type DaemonChild, type Hookline, openHookline } from "./hookline.ts";
import { PATIENCE_MS } from "./patience.ts";

export interface Steering {
  readonly scratch: Scratch;
  readonly api: FakeApi;
  readonly hookline: Hookline;
  daemon: DaemonChild;
  /** Sends a request to the API and returns the answer. */
  ask<T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<ApiAnswer<T>>;
  /** Starts a driven session in the scratch project. */
  start(request?: Readonly<Record<string, unknown>>): Promise<DrivenSession>;
  attach(sessionId: string, after?: number): Promise<AttachedClient>;
  close(): Promise<void>;
}

export interface ApiAnswer<T> {
  readonly status: number;
  readonly body: T;
}

/** A client attached to a session. */
export interface AttachedClient {
  readonly snapshot: DrivenSession;
  /** Recorded envelopes only, in order of arrival. */
  readonly envelopes: Envelope[];
  readonly deltas: string[];
  readonly ended: Promise<void>;
  until(matches: (envelope: Envelope) => boolean, timeoutMs?: number): Promise<Envelope>;
  close(): void;
}

export interface SteeringOptions {
  readonly config?: Readonly<Record<string, unknown>>;
  /** More environment variables for the daemon. */
  readonly env?: (api: FakeApi) => Readonly<Record<string, string>>;
}

export async function openSteering(script: Script, options: SteeringOptions = {}): Promise<Steering> {
  const scratch = await createScratch();
  const api = await openFakeApi(script);
  const config = { control: { claude: claudeBinary, maxSessions: 20 }, ...options.config };
  const hookline = openHookline({
    config,
    env: {
      HOME: scratch.home,
      TMPDIR: join(scratch.root, "tmp"),
      PATH: process.env["PATH"] ?? "/usr/bin:/bin",
      ...options.env?.(api),
    },
  });
  const { sock } = hookline.home;
  const credentials = { ANTHROPIC_API_KEY: "sk-test", ANTHROPIC_BASE_URL: api.url };
  const ask: Steering["ask"] = (method, path, body) => askJson(sock, method, path, body);
  const steering: Steering = {
    scratch,
    api,
    hookline,
    daemon: await hookline.start(),
    ask,
    async start(overrides = {}) {
      const request = { cwd: scratch.project, credentials, ...overrides };
      const { status, body } = await ask<DrivenSession>("POST", "/api/control/sessions", request);
      if (status !== 201) throw new Error(`not started: ${status} ${JSON.stringify(body)}`);
      return body;
    },
    attach: (sessionId, after = 0) => attach(sock, sessionId, after),
    async close() {
      await hookline.close();
      await api.close();
      await scratch.cleanup();
    },
  };
  return steering;
}

function askJson<T>(sock: string, method: string, path: string, body?: unknown): Promise<ApiAnswer<T>> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { "content-type": "application/json" };
    const call = request({ socketPath: sock, path, method, headers, agent: false }, async (response) => {
      let text = "";
      for await (const part of response.setEncoding("utf8")) text += part as string;
      resolve({ status: response.statusCode ?? 0, body: (text === "" ? null : JSON.parse(text)) as T });
    });
    call.on("error", reject);
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

async function attach(sock: string, sessionId: string, after: number): Promise<AttachedClient> {
  const envelopes: Envelope[] = [];
  const deltas: string[] = [];
  const first = Promise.withResolvers<DrivenSession>();
  const call = request({
    socketPath: sock,
    path: `/api/control/sessions/${sessionId}/attach?after=${after}`,
    agent: false,
  });
  const ended = new Promise<void>((resolve) => {
    call.on("close", resolve).on("error", (error) => {
      first.reject(error);
      resolve();
    });
  });
  call.on("response", (response: IncomingMessage) => {
    response.on("error", () => undefined);
    if (response.statusCode !== 200) first.reject(new Error(`attach: ${response.statusCode}`));
    let text = "";
    response.setEncoding("utf8").on("data", (part: string) => {
      text += part;
      const messages = text.split("\n\n");
      text = messages.pop() ?? "";
      for (const message of messages) {
        const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(message)?.[1] ?? "";
        if (field("data") === "") continue;
        const data: unknown = JSON.parse(field("data"));
        if (field("event") === "snapshot") first.resolve(data as DrivenSession);
        if (field("event") !== "envelope") continue;
        const envelope = data as Envelope;
        if (envelope.type === "text.delta") deltas.push(envelope.text);
        else envelopes.push(envelope);
      }
    });
  });
  call.end();
  const snapshot = await first.promise;
  return {
    snapshot,
    envelopes,
    deltas,
    ended,
    async until(matches, timeoutMs = PATIENCE_MS) {
      for (const end = Date.now() + timeoutMs; ; await sleep(20)) {
        const found = envelopes.find(matches);
        if (found !== undefined) return found;
        if (Date.now() > end)
          throw new Error(
            `not within ${timeoutMs} ms: ${matches}\n${envelopes.map((envelope) => JSON.stringify(envelope).slice(0, 300)).join("\n")}`,
          );
      }
    },
    close: () => void call.destroy(),
  };
}
