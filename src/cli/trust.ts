import { resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import { defineCommand } from "citty";
import { isRunByAgent } from "../agents/run-by-agent.ts";
import { AppError } from "../app-error.ts";
import type { TrustReport } from "../control/control-contract.ts";
import { MARK_VARIABLE } from "../control/process/claude-processes.ts";
import { type Env, resolveHome } from "../home.ts";
import { localTime } from "../shown/duration.ts";
import { openUserTrust } from "./open-user-trust.ts";
import { print, printJson } from "./output.ts";

export const trustCommand = defineCommand({
  meta: { name: "trust", description: "Show what a project would run, and approve exactly that" },
  args: {
    dir: { type: "positional", required: false, description: "A folder of the project; else this one" },
    yes: { type: "string", description: "Approve without asking, if the content still has this hash" },
    revoke: { type: "boolean", description: "Take the approval back" },
    json: { type: "boolean", description: "Print it as JSON; ask nothing" },
  },
  run: async ({ args }) => {
    if (args.revoke && args.yes !== undefined) throw new AppError("usage", "either --yes or --revoke");
    if (args.yes !== undefined && isAgent(process.env)) {
      const message = "An agent cannot approve a project. Run this in a terminal of your own.";
      throw new AppError("trust_by_agent", message);
    }
    const trust = openUserTrust(resolveHome());
    const dir = resolve(args.dir ?? ".");
    const found = args.revoke
      ? await trust.revoke(dir)
      : args.yes === undefined
        ? await trust.report(dir)
        : await trust.approve(dir, args.yes);
    if (args.json) return printJson(found);
    const canAsk = process.stdin.isTTY && process.stdout.isTTY && !isAgent(process.env);
    print(trustReportText(found, canAsk && !args.revoke));
    if (args.revoke || found.hash === null || found.trusted || !canAsk) return;
    if (await confirmTrust()) print(trustStatusText(await trust.approve(dir, found.hash), true));
  },
});

/** Detected by variables that an agent, or we, set for its commands. Not a safeguard: they can be unset. */
function isAgent(env: Env): boolean {
  return isRunByAgent(env) || Boolean(env[MARK_VARIABLE]);
}

function trustReportText(report: TrustReport, isAsked: boolean): string {
  const items = report.items.map(({ file, kind, lines, problem }) =>
    [`${file} (${kind})`, ...(problem === null ? lines : [`! ${problem}`]).map((line) => `  ${line}`)].join(
      "\n",
    ),
  );
  return [...items, trustStatusText(report, isAsked)].join("\n\n");
}

function trustStatusText(report: TrustReport, isAsked: boolean): string {
  const { root, hash, trusted, changed, approvedAtIso } = report;
  if (hash === null) return `Nothing in ${root} needs trust.`;
  if (trusted) return `${root} is trusted, since ${localTime(approvedAtIso ?? "", Date.now())}.`;
  const why = changed ? "It was approved with other content" : "Nothing of it is used in driven sessions";
  const how = isAsked ? "" : `\nTo approve it: hookline trust --yes ${hash}`;
  return `${root} is not trusted. ${why}.${how}`;
}

async function confirmTrust(): Promise<boolean> {
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await asking.question("Let driven sessions use all of this? [y/N] ");
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    asking.close();
  }
}
