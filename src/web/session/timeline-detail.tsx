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
  selected,
  playAtMs,
  folder,
  onOpen,
}: {
  readonly story: Story;
  readonly selected: Call | null;
  readonly playAtMs: number | null;
  readonly folder: string | null;
  readonly onOpen: (key: string) => void;
}) {
  const { session } = useStrings();
  const playedEntries = useMemo(
    () => (playAtMs === null ? [] : entriesUpTo(story.entries, playAtMs)),
    [story, playAtMs],
  );
  if (playAtMs !== null)
    return (
      <section className="moment" aria-label={session.replay}>
        <h2>{formatTime(new Date(playAtMs).toISOString())}</h2>
        {playedEntries.map((entry) => (
          <EntryView key={entry.key} entry={entryAt(entry, playAtMs)} folder={folder} turn={undefined} />
        ))}
      </section>
    );
  if (selected === null)
    return (
      <section className="moment" aria-label={session.recent}>
        <p className="muted">{session.timelineHelp}</p>
        {story.entries.slice(-LAST_ENTRIES).map((entry) => (
          <EntryView key={entry.key} entry={entry} folder={folder} turn={undefined} />
        ))}
      </section>
    );
  const entry: Entry = story.entries.find(
    (candidate) => candidate.type === "call" && candidate.key === selected.key,
  ) ?? {
    type: "call",
    key: selected.key,
    atMs: selected.startMs,
    call: selected,
    inner: [],
  };
  return (
    <section className="moment" aria-live="polite">
      <div className="moment-head">
        <h2>{formatTime(new Date(selected.startMs).toISOString())}</h2>
        <button type="button" className="button" onClick={() => onOpen(selected.key)}>
          {session.inTranscript} <KeyHint letter="↵" />
        </button>
      </div>
      <EntryView key={selected.key} entry={entry} folder={folder} turn={undefined} />
    </section>
  );
}

function entriesUpTo(entries: readonly Entry[], atMs: number): readonly Entry[] {
  let [low, high] = [0, entries.length];
  while (low < high) {
    const mid = (low + high) >> 1;
    if (entries[mid]!.atMs <= atMs) low = mid + 1;
    else high = mid;
  }
  return entries.slice(Math.max(0, low - LAST_ENTRIES), low);
}

/** A call that had not ended by then is shown as running. */
function entryAt(entry: Entry, atMs: number): Entry {
  if (entry.type !== "call" || (entry.call.endMs ?? 0) <= atMs) return entry;
  const call = { ...entry.call, status: "running" as const, endMs: null, output: null, error: null };
  return { ...entry, key: `${entry.key} then`, call, inner: [] };
}
