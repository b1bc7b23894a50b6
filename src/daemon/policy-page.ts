import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { claude } from "../agents/claude/claude.ts";
import { loadConfig } from "../config.ts";
import { addRecipeToRules, removeRecipeFromRules } from "../control/change-recipes.ts";
import { describeCall } from "../control/describe-call.ts";
import type { Judge } from "../control/open-judge.ts";
import { policyFromFile, policyFromRules, readProjectRules, readRulesFile } from "../control/policy-files.ts";
import { describeRules, previewRules } from "../control/preview-rules.ts";
import { replayCalls } from "../control/replay-calls.ts";
import { type RuleSummary, toRuleSummaries } from "../control/rule-summaries.ts";
import { openTrust, type Trust } from "../control/trust/trust.ts";
import { writeRules } from "../control/write-rules.ts";
import type { HooklineEvent } from "../event/event.ts";
import { callFactId } from "../event/ids.ts";
import type { Env, Home } from "../home.ts";
import { RECIPES } from "../policy/recipes/recipes.ts";
import { NO_RULES, type Rules, readRules } from "../policy/rules-file.ts";
import type { PagePorts } from "../serve/page-ports.ts";
import type { JudgedCall, PolicyReport, ReplayAnswer } from "../serve/policy-contract.ts";
import type { Facts } from "../store/facts.ts";
import type { LiveStore } from "../store/live-store.ts";
import type { Store } from "../store/store.ts";

export interface PolicyPageOptions {
  readonly home: Home;
  readonly env: Env;
  readonly liveStore: LiveStore;
  readonly judge: Judge;
  readonly nowMs: () => number;
}

const WEEK_MS = 7 * 24 * 3_600_000;
/** Judging a call takes up to a millisecond, so no more than this are replayed. */
const MAX_REPLAYED_CALLS = 5_000;
const MAX_SHOWN_CALLS = 200;

/** The rules as a page shows, edits and tests them. */
export function createPolicyPage(
  options: PolicyPageOptions,
): Pick<
  PagePorts,
  "policy" | "writeRules" | "previewRules" | "addRecipe" | "removeRecipe" | "verdicts" | "replay"
> {
  const { home, env, liveStore, judge, nowMs } = options;
  const trust = openTrust({ file: home.trust, nowMs, driving: claude.driving });
  return {
    policy: (project) => report(home, env, trust, project),
    writeRules(text, expectedText) {
      if (expectedText !== undefined && expectedText !== readText(home.rules)) return { type: "changed" };
      const reading = readRules(text, "user");
      if (reading.type === "invalid") return { type: "invalid", problems: reading.problems };
      writeRules(home, text);
      return { type: "written" };
    },
    previewRules: (text, change) => previewRules(text, change) ?? undefined,
    async addRecipe(name, { options: chosen, project }) {
      const place = { home, agent: claude, env, projectDir: env["HOME"] || homedir() };
      const wish = { name, options: chosen, project, dryRun: false };
      const { install, guard } = await addRecipeToRules(place, wish);
      return { policy: await report(home, env, trust, null), install, guard };
    },
    async removeRecipe(name) {
      const { install } = removeRecipeFromRules(home, name, { dryRun: false });
      return { policy: await report(home, env, trust, null), install, guard: false };
    },
    verdicts: ({ session, since, limit }) =>
      liveStore.use(async (store) => {
        const events = await store.control.verdicts({ sessionId: session, sinceIso: since, limit });
        return { verdicts: await Promise.all(events.map((event) => toJudged(event, store))) };
      }),
    async replay({ rules, since, guardOnly }) {
      const sinceIso = since ?? new Date(nowMs() - WEEK_MS).toISOString();
      const reading = rules === undefined ? null : readRules(rules, "user");
      if (reading?.type === "invalid") return { ...EMPTY_REPLAY, sinceIso, problems: [...reading.problems] };
      const calls = await liveStore.use(async (store) => {
        const events = await store.control.newestCalls(sinceIso, MAX_REPLAYED_CALLS);
        return Promise.all(events.map((event) => withFullInput(event, store.facts)));
      });
      const inForce = policyFromFile(home, trust, null);
      const replay = await replayCalls(calls, {
        sinceIso,
        policyFor: reading === null ? inForce : policyFromRules(home, trust, reading.rules),
        inForce: reading === null ? null : inForce,
        guardOnly,
        judge: judge.judge,
      });
      const found = replay.found.slice(-MAX_SHOWN_CALLS).reverse();
      return {
        ...replay,
        found: found.map(({ toolInput, toolKind, updatedInput: _updated, ...call }) => ({
          ...call,
          text: describeCall({ toolName: call.toolName, toolKind, toolInput }),
        })),
        problems: [],
      };
    },
  };
}

const EMPTY_REPLAY: Omit<ReplayAnswer, "sinceIso" | "problems"> = {
  calls: 0,
  allowed: 0,
  asked: 0,
  denied: 0,
  rewritten: 0,
  changed: null,
  found: [],
};

async function report(home: Home, env: Env, trust: Trust, project: string | null): Promise<PolicyReport> {
  const reading = readRulesFile(home.rules, home);
  const user = reading?.type === "rules" ? reading.rules : NO_RULES;
  const projectRules =
    project === null ? null : await readProjectRules(home, trust, project).catch(() => null);
  const summaries: readonly RuleSummary[] = [
    ...(projectRules?.trusted ? toRuleSummaries(projectRules.rules, "project") : []),
    ...toRuleSummaries(user, "user"),
  ];
  const { on, failClosed } = loadConfig(home, env).config.guard;
  return {
    file: home.rules,
    text: readText(home.rules),
    guard: { on, failClosed },
    rules: [...summaries],
    tools: describeRules(user).tools,
    problems:
      reading?.type === "invalid"
        ? reading.problems.map((problem) => ({ file: home.rules, ...problem }))
        : [],
    recipes: recipeSummaries(user),
  };
}

function recipeSummaries({ protect, prompts, reactions }: Rules): PolicyReport["recipes"] {
  const inUse = new Set([...protect, ...prompts, ...reactions].map(({ recipe }) => recipe));
  return RECIPES.map(({ name, description, needs, options }) => ({
    name,
    description,
    needs,
    options: Object.entries(options).map(([option, optionFields]) => ({ name: option, ...optionFields })),
    inUse: inUse.has(name),
  }));
}

async function toJudged(event: HooklineEvent, store: Store): Promise<JudgedCall> {
  const verdictFields = (event["told"] ?? event["envelope"] ?? {}) as Readonly<Record<string, unknown>>;
  const text = (key: string): string | null =>
    typeof verdictFields[key] === "string" ? (verdictFields[key] as string) : null;
  const toolUseId = event.toolUseId ?? null;
  // A permission request names no call: it is a separate event with the same input.
  const factId = toolUseId === null ? text("requestId") : callFactId({ ...event, toolUseId }, "start");
  const fact = factId === null ? undefined : await store.memory.fact(factId);
  const call = fact === undefined ? undefined : await withFullInput(fact, store.facts);
  const toolName = text("toolName") ?? text("tool");
  return {
    atIso: event.occurredAtIso,
    sessionId: event.sessionId,
    toolUseId,
    projectPath: event.projectPath,
    toolName,
    text:
      call === undefined ? null : describeCall(call.payload ?? { toolName, toolInput: call["toolInput"] }),
    verdict: text("verdict") ?? "",
    step: null,
    rule: text("rule") ?? "",
    reason: text("reason") ?? "",
  };
}

/** Large inputs are stored separately from their event. */
async function withFullInput(event: HooklineEvent, facts: Facts): Promise<HooklineEvent> {
  const hash = (event.payload?.toolInput as { $blob?: unknown } | null | undefined)?.$blob;
  const content = typeof hash === "string" ? await facts.blob(hash) : undefined;
  if (content === undefined || event.payload === undefined) return event;
  return { ...event, payload: { ...event.payload, toolInput: JSON.parse(content) as unknown } };
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
