import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { text as readAll } from "node:stream/consumers";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { askDaemon } from "../client/ask-daemon.ts";
import { pickCredentials } from "../control/caller-credentials.ts";
import { ClaudeReport, DrivenSession, type StartInput } from "../control/control-contract.ts";
import type { Envelope } from "../control/envelope.ts";
import { unapprovedFiles } from "../control/trust/unapproved-files.ts";
import { type Home, resolveHome } from "../home.ts";
import { PERMISSION_MODES } from "../policy/request.ts";
import { Health, SessionDetail } from "../serve/contract.ts";
import { oneLine } from "../shown/plain-text.ts";
import { visibleLine } from "../shown/visible-text.ts";
import { askControl, listCards, sendSessionCommand } from "./control-client.ts";
import { converse } from "./converse.ts";
import { toOneOf } from "./memory-args.ts";
import { openUserTrust } from "./open-user-trust.ts";
import { note } from "./output.ts";
import { toAmount } from "./parse-number.ts";
import { shortId } from "./session-activity.ts";
import { ensureDaemonRunning } from "./start-daemon.ts";
import { applyToTurn, NEW_TURN, type TurnEnd } from "./turn-end.ts";

const CLIENT_NAME = "hookline run";

/** How long the daemon may be down before the command gives up. */
const MAX_DAEMON_DOWN_MS = 30_000;

export const runCommand = defineCommand({
  meta: { name: "run", description: "Start an agent and follow it here" },
  args: {
    prompt: { type: "positional", required: false, description: "What to do (default: read from stdin)" },
    cwd: {
      type: "string",
      description: "Working folder (default: current; with --resume, the session's)",
    },
    mode: { type: "string", description: `Permission mode: ${PERMISSION_MODES.join(", ")}` },
    model: { type: "string", description: "Model to use" },
    resume: { type: "string", description: "Continue a session (id or prefix)" },
    fork: { type: "boolean", description: "With --resume: continue in a copy of the session" },
    budget: { type: "string", description: "Stop after spending this much (USD)" },
    billing: { type: "string", description: "api, or subscription to allow a claude.ai login" },
    keep: { type: "boolean", description: "Keep the session open afterwards, for hookline attach" },
    json: { type: "boolean", description: "Print each envelope as one line of JSON" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const prompt = await readPrompt(args.prompt);
    const request: StartInput = {
      cwd: resolve(args.cwd ?? "."),
      prompt,
      mode: toOneOf("mode", args.mode, PERMISSION_MODES),
      model: args.model,
      resume: args.resume,
      fork: args.fork ?? false,
      maxBudgetUsd: toAmount("budget", args.budget, {
        what: "an amount of US dollars",
        isValid: (usd) => usd > 0,
      }),
      billing: toOneOf("billing", args.billing, ["api", "subscription"]),
      credentials: pickCredentials(process.env),
      who: CLIENT_NAME,
      commandId: randomUUID(),
    };
    if (request.fork === true && request.resume === undefined)
      throw new AppError("usage", "--fork needs --resume.");
    if ((await askDaemon(home, Health, "/api/health", { timeoutMs: 10_000 })) === null)
      await ensureDaemonRunning(home, process.env, { restart: false, wait: false });
    await printBilling(home, request);
    const cwd = args.cwd === undefined ? await resumeFolder(home, request) : request.cwd;
    await printUntrustedParts(home, cwd);
    const end = await runTurn(
      home,
      { ...request, cwd },
      { json: args.json ?? false, keep: args.keep ?? false },
    );
    if (end.type === "failed") throw new AppError(end.code, end.message);
  },
});

/** Before anything is sent: the credentials in use, and who is billed. */
async function printBilling(home: Home, { billing, credentials }: StartInput): Promise<void> {
  const report = await askControl(home, ClaudeReport, "/claude", { billing, credentials });
  if (!report.usable) throw new AppError("claude_unusable", unusableReason(report));
  note(oneLine(report.billing));
}

/** A session resumes in its own folder, wherever this command is run. */
async function resumeFolder(home: Home, { resume, cwd }: StartInput): Promise<string> {
  if (resume === undefined) return cwd;
  const path = `/api/sessions/${encodeURIComponent(resume)}`;
  // If it is not found here, the start request fails with the reason.
  const found = await askDaemon(home, SessionDetail, path).catch(() => null);
  const sessionFolder = found?.session.cwd ?? null;
  if (sessionFolder === null || sessionFolder === cwd || !existsSync(sessionFolder)) return cwd;
  note(`Resuming in the session's folder, ${oneLine(sessionFolder)} (use --cwd for another).`);
  return sessionFolder;
}

/** Warns that the session does not load the project's own instructions and servers. */
async function printUntrustedParts(home: Home, cwd: string): Promise<void> {
  const trust = openUserTrust(home);
  const unused = await unapprovedFiles(trust, cwd);
  if (unused.length > 0)
    note(`Ignored until you approve it with \`hookline trust\`: ${oneLine(unused.join(", "))}.`);
}

/** All obstacles together, and how to fix them. */
function unusableReason({ sdk, claude, login, billing }: ClaudeReport): string {
  const missing = [sdk.message, claude.message, billing].filter((message) => message !== null);
  const isChoice = sdk.message === null && claude.message === null && login === "subscription";
  const how =
    "Allow it once with `hookline run --billing subscription`, or always with `hookline config control.billing subscription`.";
  return [...new Set(missing), ...(isChoice ? [how] : [])].join("\n");
}

async function runTurn(
  home: Home,
  request: StartInput,
  { json, keep }: { readonly json: boolean; readonly keep: boolean },
): Promise<TurnEnd> {
  const { sessionId, seq } = await askControl(home, DrivenSession, "/sessions", request);
  // A resumed session may have a long history.
  const after = request.resume === undefined || request.fork ? 0 : seq;
  const stop = new AbortController();
  const release = onInterrupts(
    () => {
      note("Stopping. Press Ctrl-C again to close the session.");
      sendSessionCommand(home, sessionId, "stop").catch((error: Error) => note(oneLine(error.message)));
    },
    () => stop.abort(),
  );
  let turn = NEW_TURN;
  let downSinceMs: number | null = null;
  try {
    await converse({
      home,
      sessionId,
      who: CLIENT_NAME,
      json,
      signal: stop.signal,
      after,
      isShown: (envelope) => json || isNews(envelope),
      isOver(message) {
        downSinceMs = message.type === "down" ? (downSinceMs ?? Date.now()) : null;
        if (downSinceMs !== null && Date.now() - downSinceMs > MAX_DAEMON_DOWN_MS)
          throw new AppError("daemon_down", "the daemon did not come back.");
        if (message.type === "envelope") turn = applyToTurn(turn, message.envelope);
        return turn.end !== null;
      },
    });
  } finally {
    release();
    if (!keep || stop.signal.aborted)
      await sendSessionCommand(home, sessionId, "close").catch(() => undefined);
  }
  const isClosed = turn.end?.type === "failed" && turn.end.code === "session_closed";
  if (keep && !stop.signal.aborted && !isClosed)
    note(`The session stays open: \`hookline attach ${shortId(sessionId)}\`.`);
  const end = turn.end ?? { type: "failed", code: "interrupted", message: "the session was closed." };
  return end.type === "failed" && RESUMABLE.has(end.code) ? withNextSteps(home, sessionId, end) : end;
}

/** It was stopped, or its driver ended: the session itself is fine. */
const RESUMABLE: ReadonlySet<string> = new Set(["interrupted", "session_closed"]);

/** Explains how to resume the session, and a lost request. */
async function withNextSteps(
  home: Home,
  sessionId: string,
  end: TurnEnd & { readonly type: "failed" },
): Promise<TurnEnd> {
  const { cards } = await listCards(home, sessionId).catch(() => ({ cards: [] }));
  const lost = cards.find(({ status }) => status === "lost");
  const nextSteps = [
    ...(lost === undefined
      ? []
      : [
          `Its request was lost. To resume the session and ask again: \`hookline answer ${visibleLine(lost.id)} again\`.`,
        ]),
    `To continue the session: \`hookline run --resume ${shortId(sessionId)} "…"\`.`,
  ];
  return { ...end, message: [end.message.replace(/[^.!?]$/, "$&."), ...nextSteps].join("\n") };
}

/** Excludes what this command prints itself, or at its end. */
function isNews(envelope: Envelope): boolean {
  if (envelope.type === "mode") return envelope.by !== CLIENT_NAME;
  return envelope.type !== "user" && !(envelope.type === "result" && !envelope.ok);
}

/** First and second Ctrl-C. SIGTERM and SIGHUP act like the second. */
function onInterrupts(onFirst: () => void, onNext: () => void): () => void {
  let isFirst = true;
  const interrupt = (): void => {
    if (isFirst) onFirst();
    else onNext();
    isFirst = false;
  };
  process.on("SIGINT", interrupt);
  process.once("SIGTERM", onNext);
  process.once("SIGHUP", onNext);
  return () => {
    process.off("SIGINT", interrupt);
    process.off("SIGTERM", onNext);
    process.off("SIGHUP", onNext);
  };
}

async function readPrompt(argument: string | undefined): Promise<string> {
  const prompt = argument ?? (process.stdin.isTTY ? "" : await readAll(process.stdin));
  if (prompt.trim() === "") throw new AppError("usage", 'missing prompt: hookline run "…"');
  return prompt;
}
