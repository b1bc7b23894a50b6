import type { CheckContext } from "./check-context.ts";

export type Status = "ok" | "warn" | "fail" | "skipped";

/** The result of one check. A problem says what to do; one with a `fix` can be repaired by `--fix`. */
export type Outcome =
  | { readonly status: "ok" | "skipped"; readonly found: string }
  | {
      readonly status: "warn" | "fail";
      readonly found: string;
      readonly remedy: string;
      /** Repairs it and reports what was done. Must be safe: no data lost, no process killed. */
      readonly fix?: (() => Promise<string> | string) | undefined;
    };

export interface Check {
  /** Stable: other programs match on it. */
  readonly code: string;
  /** Overrides the default time limit. */
  readonly limitMs?: number;
  run(context: CheckContext): Promise<Outcome> | Outcome;
}

export interface Finding {
  readonly code: string;
  readonly status: Status;
  readonly found: string;
  readonly remedy: string | null;
  readonly fixable: boolean;
}

export interface Fixed {
  readonly code: string;
  readonly did: string;
}

export interface Diagnosis {
  readonly checks: readonly Finding[];
  readonly fixed: readonly Fixed[];
}

const CHECK_TIMEOUT_MS = 10_000;

/** Runs all checks; with `fix`, repairs what it can in the order of the checks, then checks again. */
export async function diagnose(
  checks: readonly Check[],
  openContext: () => CheckContext,
  options: { readonly fix: boolean },
): Promise<Diagnosis> {
  const first = await runAll(checks, openContext());
  const problems = first.filter(({ outcome }) => "fix" in outcome && outcome.fix !== undefined);
  if (!options.fix || problems.length === 0) return { checks: first.map(toFinding), fixed: [] };

  const fixed: Fixed[] = [];
  const failures = new Map<string, string>();
  for (const { check, outcome } of problems) {
    if (!("fix" in outcome) || outcome.fix === undefined) continue;
    try {
      fixed.push({ code: check.code, did: await withTimeout(FIX_TIMEOUT_MS, outcome.fix) });
    } catch (error) {
      failures.set(check.code, (error as Error).message);
    }
  }
  const second = await runAll(checks, openContext());
  const withFailure = (finding: Finding): Finding => {
    const why = failures.get(finding.code);
    return why === undefined || finding.status === "ok"
      ? finding
      : { ...finding, found: `${finding.found} The repair failed: ${why}.` };
  };
  return { checks: second.map(toFinding).map(withFailure), fixed };
}

const FIX_TIMEOUT_MS = 30_000;

interface CheckedOutcome {
  readonly check: Check;
  readonly outcome: Outcome;
}

/** Sequential: checks share data, and some write and remove a file. */
async function runAll(checks: readonly Check[], context: CheckContext): Promise<CheckedOutcome[]> {
  const outcomes: CheckedOutcome[] = [];
  for (const check of checks) outcomes.push({ check, outcome: await runOne(check, context) });
  const isHomeUnwritable = outcomes.some(
    ({ check, outcome }) => check.code === "home_writable" && outcome.status === "fail",
  );
  return isHomeUnwritable ? outcomes.map(withHomeRemedy) : outcomes;
}

/** If the home is not writable, suggesting commands that write there is pointless. */
function withHomeRemedy({ check, outcome }: CheckedOutcome): CheckedOutcome {
  if (!("remedy" in outcome) || !/`hookline (?:up|install)\b/.test(outcome.remedy)) return { check, outcome };
  const { status, found } = outcome;
  return { check, outcome: { status, found, remedy: "Fix home_writable first." } };
}

async function runOne(check: Check, context: CheckContext): Promise<Outcome> {
  try {
    return await withTimeout(check.limitMs ?? CHECK_TIMEOUT_MS, () => check.run(context));
  } catch (error) {
    return {
      status: "fail",
      found: `This check failed to run: ${(error as Error).message}.`,
      remedy: "Fix the cause, then run `hookline doctor` again.",
    };
  }
}

async function withTimeout<T>(limitMs: number, act: () => Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out after ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([act(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function toFinding({ check, outcome }: CheckedOutcome): Finding {
  const { status, found } = outcome;
  const problem = "remedy" in outcome ? outcome : undefined;
  return {
    code: check.code,
    status,
    found,
    remedy: problem?.remedy ?? null,
    fixable: problem?.fix !== undefined,
  };
}
