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
  meta: { name: "trust", description: "Review and approve what a project would run" },
  args: {
    dir: { type: "positional", required: false, description: "A folder in the project (default: current)" },
    yes: { type: "string", description: "Approve without asking if the content has this hash" },
    revoke: { type: "boolean", description: "Revoke the approval" },
    json: { type: "boolean", description: "Print as JSON without asking" },
  },
  run: async ({ args }) => {
    if (args.revoke && args.yes !== undefined)
      throw new AppError("usage", "--yes and --revoke contradict each other.");
    if (args.yes !== undefined && isAgent(process.env)) {
      const message = "An agent cannot approve a project. Run this in your own terminal.";
      throw new AppError("trust_by_agent", message);
    }
    const trust = openUserTrust(resolveHome());
    const dir = resolve(args.dir ?? ".");
    const report = args.revoke
      ? await trust.revoke(dir)
      : args.yes === undefined
        ? await trust.report(dir)
        : await trust.approve(dir, args.yes);
    if (args.json) return printJson(report);
    const canAsk = process.stdin.isTTY && process.stdout.isTTY && !isAgent(process.env);
    print(trustReportText(report, canAsk && !args.revoke));
    if (args.revoke || report.hash === null || report.trusted || !canAsk) return;
    if (await confirmTrust()) print(trustStatusText(await trust.approve(dir, report.hash), true));
  },
});

/** Detected by variables that an agent, or we, set for its commands. Not a safeguard: they can be unset. */
function isAgent(env: Env): boolean {
  return isRunByAgent(env) || Boolean(env[MARK_VARIABLE]);
}

function trustReportText(report: TrustReport, canConfirm: boolean): string {
  const items = report.items.map(({ file, kind, lines, problem }) =>
    [`${file} (${kind})`, ...(problem === null ? lines : [`! ${problem}`]).map((line) => `  ${line}`)].join(
      "\n",
    ),
  );
  return [...items, trustStatusText(report, canConfirm)].join("\n\n");
}

function trustStatusText(report: TrustReport, canConfirm: boolean): string {
  const { root, hash, trusted, changed, approvedAtIso } = report;
  if (hash === null) return `${root} has nothing to approve.`;
  if (trusted) return `${root} is trusted since ${localTime(approvedAtIso ?? "", Date.now())}.`;
  const why = changed ? "Its content changed since you approved it" : "Driven sessions ignore these files";
  const how = canConfirm ? "" : `\nTo approve it: hookline trust --yes ${hash}`;
  return `${root} is not trusted. ${why}.${how}`;
}

async function confirmTrust(): Promise<boolean> {
  const prompt = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await prompt.question("Approve all of this for driven sessions? [y/N] ");
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    prompt.close();
  }
}
