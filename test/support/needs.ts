import { isInstalled, type Program } from "./programs.ts";

/** The programs that each test file requires: the runner skips the file where one is missing. */
const needed = sharedMap<readonly Program[]>("hooklineTestNeeds");

/** `needs(import.meta.filename, "tmux")`, at the top of a test file. */
export function needs(file: string, ...programs: readonly Program[]): void {
  needed.set(file, programs);
}

export function missingFor(file: string): readonly Program[] {
  return (needed.get(file) ?? []).filter((program) => !isInstalled(program));
}

/** Stored globally: the runner and the tests each load their own copy of this module. */
function sharedMap<Value>(name: string): Map<string, Value> {
  const shared = globalThis as unknown as Record<string, Map<string, Value> | undefined>;
  const map = shared[name] ?? new Map<string, Value>();
  shared[name] = map;
  return map;
}
