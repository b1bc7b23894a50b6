import { basename } from "node:path";
import type { Home } from "../home.ts";
import { type Pause, readPauses } from "./pauses.ts";
import { watchFolders } from "./watch-folders.ts";

const DAY_MS = 86_400_000;

/** Calls `onChange` when the recording rules change: a file was edited, or a pause starts or ends. */
export function watchRecordingRules(
  home: Pick<Home, "dir" | "configFile" | "pauses">,
  onChange: () => void,
): { close(): void } {
  const names = [home.configFile, home.pauses].map((path) => basename(path));
  let timer: NodeJS.Timeout | undefined;
  const schedule = (): void => {
    clearTimeout(timer);
    const nextChangeMs = nextPauseChangeMs(readPauses(home.pauses), Date.now());
    if (nextChangeMs !== null) timer = setTimeout(changed, Math.min(nextChangeMs, DAY_MS)).unref();
  };
  const changed = (): void => {
    schedule();
    onChange();
  };
  const watches = watchFolders({
    onChange: (_dir, name) => {
      if (name === null || names.includes(name)) changed();
    },
    // Without a watch, new rules take effect the next time something of the project is remembered.
    onError: () => undefined,
  });
  watches.add(home.dir);
  schedule();
  return {
    close() {
      clearTimeout(timer);
      watches.close();
    },
  };
}

function nextPauseChangeMs(pauses: readonly Pause[], nowMs: number): number | null {
  const changesMs = pauses
    .flatMap(({ from, until }) => [from, until ?? ""])
    .map((iso) => Date.parse(iso) - nowMs)
    .filter((ms) => ms >= 0);
  return changesMs.length === 0 ? null : Math.min(...changesMs) + 1;
}
