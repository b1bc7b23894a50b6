import { resolve } from "node:path";
import { defineCommand } from "citty";
import { AppError } from "../app-error.ts";
import { projectRulesFile } from "../control/follow-rules.ts";
import {
  policyFromFile,
  readProjectRules,
  readRulesFile,
  requireRules,
  ruleProblemText,
  ruleSourceOf,
} from "../control/policy-files.ts";
import { realWorld } from "../control/real-world.ts";
import { replayCalls } from "../control/replay-calls.ts";
import { type Home, resolveHome } from "../home.ts";
import { decide } from "../policy/decide.ts";
import { toSinceIso } from "../shown/duration.ts";
import { plural } from "./amounts.ts";
import { currentProject } from "./memory-args.ts";
import { openUserTrust } from "./open-user-trust.ts";
import { note, print, printJson } from "./output.ts";
import { paintFor } from "./paint.ts";
import { readCalls, replayText } from "./policy-replay.ts";
import { testRequests } from "./policy-test.ts";
import { ruleCountsText, rulesText } from "./policy-text.ts";
import { refuseUnused, unexpectedArgument, unknownAction } from "./read-args.ts";
import { terminalWidth } from "./terminal-width.ts";

export const policyCommand = defineCommand({
  meta: {
    name: "policy",
    description: "Test, check and show the policy rules",
  },
  args: {
    action: {
      type: "positional",
      required: false,
      description: "test: judge requests, JSON lines on stdin; check: a rules file; show: the rules in force",
    },
    file: {
      type: "positional",
      required: false,
      description: "With check: a rules file (default: yours and this project's)",
    },
    rules: { type: "string", description: "test: a rules file instead of yours" },
    replay: { type: "boolean", description: "test: judge the calls that were recorded instead of stdin" },
    since: { type: "string", description: "With --replay: since 2h or 7d ago (default 7d), or a time" },
    guard: { type: "boolean", description: "With --replay: judge as the guard would" },
    json: { type: "boolean", description: "Print as JSON; test: a line for each request" },
  },
  run: async ({ args }) => {
    const home = resolveHome();
    const json = args.json ?? false;
    checkUse(args);
    switch (args.action) {
      case "test":
        break;
      case "check":
        check(home, args.file, json);
        return;
      case "show":
        await show(home, json);
        return;
      default:
        if (args.action !== undefined) throw unknownAction("policy", args.action, ["test", "check", "show"]);
        throw new AppError("usage", "missing action: `hookline policy test`, `check` or `show`.");
    }
    const trust = openUserTrust(home);
    const policyFor = policyFromFile(home, trust, args.rules ?? null);
    const paint = paintFor(process.stdout);
    const world = realWorld();
    if (!args.replay) {
      if (process.stdin.isTTY)
        note(
          'Type one request per line: {"tool_name":"Bash","tool_input":{"command":"…"}}. Press Ctrl-D when done.',
        );
      const judged = await testRequests(process.stdin, { policyFor, world, cwd: process.cwd(), json, paint });
      if (judged === 0) throw new AppError("usage", `nothing to judge: ${HOW_TO_TEST}`);
      return;
    }
    const now = Date.now();
    const sinceIso = toSinceIso(args.since ?? "7d", now);
    const replay = await replayCalls(await readCalls(home, sinceIso), {
      sinceIso,
      policyFor,
      inForce: args.rules === undefined ? null : policyFromFile(home, trust, null),
      guardOnly: args.guard ?? false,
      judge: (policy, request) => decide(policy, request, world),
    });
    if (json) printJson(replay);
    else print(replayText(replay, paint, now));
  },
});

interface PolicyArgs {
  readonly action?: string | undefined;
  readonly file?: string | undefined;
  readonly rules?: string | undefined;
  readonly replay?: boolean | undefined;
  readonly since?: string | undefined;
  readonly guard?: boolean | undefined;
}

/** Each action accepts only some arguments; the others must not be ignored silently. */
function checkUse({ action, file, rules, replay, since, guard }: PolicyArgs): void {
  if (action === "check" || action === "show")
    refuseUnused({ rules, replay, since, guard }, (flag) => `${flag} works only with policy test.`);
  if (action === "test" && !replay)
    refuseUnused({ since, guard }, (flag) => `${flag} works only with --replay.`);
  if (action === "test" && file !== undefined)
    throw new AppError("usage", `unexpected argument "${file}": ${HOW_TO_TEST}`);
  if (action === "show" && file !== undefined) throw unexpectedArgument("policy", file);
}

const HOW_TO_TEST =
  'requests are JSON lines on stdin, such as {"tool_name":"Bash","tool_input":{"command":"…"}}.';

function check(home: Home, file: string | undefined, json: boolean): void {
  const paths = file === undefined ? [home.rules, projectRulesFile(currentProject())] : [resolve(file)];
  const found = [...new Set(paths)].flatMap((path) => {
    const reading = readRulesFile(path, home);
    return reading === null ? [] : [{ path, reading }];
  });
  if (found.length === 0 && file !== undefined)
    throw new AppError("rules_unreadable", `file not found: ${resolve(file)}`);
  const checked = found.map(({ path, reading }) => ({
    file: path,
    source: ruleSourceOf(path, home),
    ok: reading.type === "rules",
    rules: reading.type === "rules" ? ruleCountsText(reading.rules) : null,
    problems: reading.type === "invalid" ? reading.problems : [],
  }));
  if (json) printJson(checked);
  else if (checked.length === 0) print(`No rules file: ${paths.join(", ")}`);
  else
    for (const { file: path, rules, problems } of checked)
      print(
        rules === null
          ? problems.map((problem) => ruleProblemText(path, problem)).join("\n")
          : `${path}: ${rules}`,
      );
  const errorCount = checked.reduce((sum, { problems }) => sum + problems.length, 0);
  if (errorCount > 0)
    throw new AppError(
      "rules_invalid",
      `${plural(errorCount, "error")}; a file with errors is ignored as a whole.`,
    );
}

async function show(home: Home, json: boolean): Promise<void> {
  const reading = readRulesFile(home.rules, home);
  const projectRules = await readProjectRules(home, openUserTrust(home), currentProject());
  const layers = [
    ...(projectRules === null ? [] : [{ ...projectRules, source: "project" }]),
    ...(reading === null
      ? []
      : [{ file: home.rules, rules: requireRules(home.rules, reading), trusted: true, source: "user" }]),
  ];
  const lines = layers.flatMap(({ file, rules, trusted }) => [
    `${file}: ${ruleCountsText(rules)}${trusted ? "" : ", inactive until you approve it with `hookline trust`"}`,
    ...rulesText(rules, terminalWidth()),
  ]);
  if (json) printJson(layers);
  else print(lines.length === 0 ? "No custom rules; only the built-in ones apply." : lines.join("\n"));
}
