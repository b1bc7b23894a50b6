import type { Situation } from "./situation.ts";

export type Status = "ok" | "warn" | "fail" | "skipped";

/** What one look found. A problem says what to do; one with a `fix` can be repaired by `--fix`. */
export type Outcome =
  | { readonly status: "ok" | "skipped"; readonly found: string }
  | {
      readonly status: "warn" | "fail";
      readonly found: string;
      readonly remedy: string;
      /** Repairs it and says what was done. It must be safe: no data lost, no process ended. */
      readonly fix?: (() => Promise<string> | string) | undefined;
    };

export interface Check {
  /** Stable: others look for it. */
  readonly code: string;
  /** Instead of the usual limit. */
  readonly limitMs?: number;
  look(situation: Situation): Promise<Outcome> | Outcome;
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

const LIMIT_MS = 10_000;

/** Looks at everything; with `fix` repairs what can be, in the order of the checks, and looks again. */
export async function diagnose(
  checks: readonly Check[],
  openSituation: () => Situation,
  options: { readonly fix: boolean },
): Promise<Diagnosis> {
  const first = await lookAll(checks, openSituation());
  const problems = first.filter(({ outcome }) => "fix" in outcome && outcome.fix !== undefined);
  if (!options.fix || problems.length === 0) return { checks: first.map(toFinding), fixed: [] };

  const fixed: Fixed[] = [];
  const failures = new Map<string, string>();
  for (const { check, outcome } of problems) {
    if (!("fix" in outcome) || outcome.fix === undefined) continue;
    try {
      fixed.push({ code: check.code, did: await within(FIX_MS, outcome.fix) });
    } catch (error) {
      failures.set(check.code, (error as Error).message);
    }
  }
  const second = await lookAll(checks, openSituation());
  const withFailure = (finding: Finding): Finding => {
    const why = failures.get(finding.code);
    return why === undefined || finding.status === "ok"
      ? finding
      : { ...finding, found: `${finding.found} Repairing it failed: ${why}.` };
  };
  return { checks: second.map(toFinding).map(withFailure), fixed };
}

const FIX_MS = 30_000;

interface Looked {
  readonly check: Check;
  readonly outcome: Outcome;
}

/** One after the other: checks share what they ask for, and some write and remove a file. */
async function lookAll(checks: readonly Check[], situation: Situation): Promise<Looked[]> {
  const looked: Looked[] = [];
  for (const check of checks) looked.push({ check, outcome: await lookOnce(check, situation) });
  const isHomeUnwritable = looked.some(
    ({ check, outcome }) => check.code === "home_writable" && outcome.status === "fail",
  );
  return isHomeUnwritable ? looked.map(afterHome) : looked;
}

/** In a home that cannot be written, commands that write there help nobody. */
function afterHome({ check, outcome }: Looked): Looked {
  if (!("remedy" in outcome) || !/`hookline (?:up|install)\b/.test(outcome.remedy)) return { check, outcome };
  const { status, found } = outcome;
  return { check, outcome: { status, found, remedy: "Make the home writable first: see home_writable." } };
}

async function lookOnce(check: Check, situation: Situation): Promise<Outcome> {
  try {
    return await within(check.limitMs ?? LIMIT_MS, () => check.look(situation));
  } catch (error) {
    return {
      status: "fail",
      found: `This could not be looked at: ${(error as Error).message}.`,
      remedy: "Mend what the message names, then run `hookline doctor` again.",
    };
  }
}

async function within<T>(limitMs: number, act: () => Promise<T> | T): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${limitMs / 1000} s`)), limitMs);
  });
  try {
    return await Promise.race([act(), late]);
  } finally {
    clearTimeout(timer);
  }
}

function toFinding({ check, outcome }: Looked): Finding {
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
