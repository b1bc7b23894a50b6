import { useMemo } from "react";
import type { Call, Entry } from "../conversation/entry.ts";
import { EntryView } from "../conversation/entry-view.tsx";
import { formatTime } from "../i18n/format.ts";
import { useStrings } from "../i18n/strings.ts";
import { KeyHint } from "./key-hint.tsx";
import type { Story } from "./story.ts";

const LAST_ENTRIES = 6;

/** During playback, the latest entries at that time; else the selected call; else the last entries. */
export function TimelineDetail({
  story,
  chosen,
  playAtMs,
  folder,
  onOpen,
}: {
  readonly story: Story;
  readonly chosen: Call | null;
  readonly playAtMs: number | null;
  readonly folder: string | null;
  readonly onOpen: (key: string) => void;
}) {
  const { session } = useStrings();
  const played = useMemo(() => (playAtMs === null ? [] : upTo(story.entries, playAtMs)), [story, playAtMs]);
  if (playAtMs !== null)
    return (
      <section className="moment" aria-label={session.replay}>
        <h2>{formatTime(new Date(playAtMs).toISOString())}</h2>
        {played.map((entry) => (
          <EntryView key={entry.key} entry={asAt(entry, playAtMs)} folder={folder} turn={undefined} />
        ))}
      </section>
    );
  if (chosen === null)
    return (
      <section className="moment" aria-label={session.recent}>
        <p className="muted">{session.timelineHelp}</p>
        {story.entries.slice(-LAST_ENTRIES).map((entry) => (
          <EntryView key={entry.key} entry={entry} folder={folder} turn={undefined} />
        ))}
      </section>
    );
  const entry: Entry = story.entries.find((one) => one.type === "call" && one.key === chosen.key) ?? {
    type: "call",
    key: chosen.key,
    atMs: chosen.startMs,
    call: chosen,
    inner: [],
  };
  return (
    <section className="moment" aria-live="polite">
      <div className="moment-head">
        <h2>{formatTime(new Date(chosen.startMs).toISOString())}</h2>
        <button type="button" className="button" onClick={() => onOpen(chosen.key)}>
          {session.inTranscript} <KeyHint letter="↵" />
        </button>
      </div>
      <EntryView key={chosen.key} entry={entry} folder={folder} turn={undefined} />
    </section>
  );
}

function upTo(entries: readonly Entry[], atMs: number): readonly Entry[] {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (entries[mid]!.atMs <= atMs) low = mid + 1;
    else high = mid;
  }
  return entries.slice(Math.max(0, low - LAST_ENTRIES), low);
}

/** A call that had not ended by then shows no end. */
function asAt(entry: Entry, atMs: number): Entry {
  if (entry.type !== "call" || (entry.call.endMs ?? 0) <= atMs) return entry;
  const call = { ...entry.call, status: "running" as const, endMs: null, output: null, error: null };
  return { ...entry, key: `${entry.key} then`, call, inner: [] };
}
