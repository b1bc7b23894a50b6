import { watchRules } from "../../capture/watch-rules.ts";
import type { HooklineEvent } from "../../event/event.ts";
import { answerFeedback } from "../../memory/answer-feedback.ts";
import { givenEvent, isBegun } from "../../memory/note-given.ts";
import type { MemoryIndex } from "../../memory/search/memory-index.ts";
import { openMemoryIndex } from "../../memory/search/open-memory-index.ts";
import type { MemoryPorts } from "../../serve/memory-ports.ts";
import type { AppliedListener } from "../../store/applied-batches.ts";
import { askCurrent } from "../../store/ask-current.ts";
import type { MemoryRows } from "../../store/memory-rows.ts";
import { itemChangesAt } from "../../store/sqlite/sqlite-item-changes.ts";
import type { Base } from "../base.ts";
import type { LongWork } from "../long-work.ts";
import { tellError } from "../notices.ts";
import type { Recording } from "../recording.ts";
import { type Giving, openGiving } from "./giving.ts";
import { type Making, startMaking } from "./making.ts";
import { openMemoryPorts } from "./memory-ports.ts";
import { openModel } from "./open-model.ts";
import { openWelcome, type Welcome } from "./welcome.ts";

/** The remembering side of the daemon: what is made, indexed, given and asked, joined. */
export interface Memory {
  readonly ports: Omit<MemoryPorts, "forget" | "exportLines" | "importLines" | "importClaudeMem">;
  readonly rows: MemoryRows;
  /** What an agent should know of a call of its own that was just stored; null when there is nothing. */
  feedback(event: HooklineEvent): Promise<string | null>;
  /** All that was told is made, and the digests are written. */
  flush(): Promise<void>;
  /** Something was forgotten: nothing that was read before is given any more. */
  cut(): void;
  /** The search index has lost what is gone. */
  scrub(): Promise<void>;
  /** The database was made again, or lost something. */
  again(): void;
}

export interface MemoryNeeds {
  readonly long: LongWork;
  readonly port: number | null;
}

const PROJECTS_AT_START = 50;
/** So many events at once are no session that begins now. */
const BACKLOG = 50;

/** Resolves when it is known what lies ready: before anybody is served. */
export async function startMemory(base: Base, recording: Recording, needs: MemoryNeeds): Promise<Memory> {
  const { home, config, scope, nowMs, notice } = base;
  const { keeper, record } = recording;
  const { long, port } = needs;
  const trouble = (what: string) => (error: unknown) => notice(`${what}: ${tellError(error)}`);
  const rows = askCurrent<MemoryRows>((work) => keeper.use((store) => work(store.memory)));
  const index = openMemoryIndex({
    source: itemChangesAt(home.db),
    path: home.searchDb,
    embedder: config.memory,
  });
  const note = (event: HooklineEvent): void =>
    void record([event], { until: "store" }).catch(trouble("writing down what memory did failed"));
  const onDigestTrouble = trouble("writing a digest failed");
  const giving = openGiving(base, recording, { rows, index, port, note, onDigestTrouble });
  const { digests, rules } = giving;
  const model = openModel(base, recording, rows, trouble);
  const onTrouble = trouble("remembering failed");
  const making = startMaking({ rows, index, digests, model, long, onTrouble });
  const allTouched = (): void =>
    digests.touched(rows.projects().then((projects) => projects.slice(0, PROJECTS_AT_START)));
  const ruleWatch = watchRules(home, allTouched);
  const again = (): void => {
    allTouched();
    making.drain().catch(onTrouble);
    index.changed();
  };
  scope.defer(async () => {
    ruleWatch.close();
    await making.close();
    await model.close();
    await index.close();
  });
  const welcome = openWelcome(base, port);
  recording.applied.add(createListener(base, { making, index, giving, welcome, note }));
  long.onRebuilt(again);
  await begin(rows, { making, index, giving, welcome, onTrouble });
  return {
    rows,
    ports: openMemoryPorts(base, recording, { ...giving, rows, index, making, model, allTouched }),
    feedback: (event) =>
      answerFeedback(
        {
          rows,
          sessionEvents: (query) => keeper.use((store) => store.facts.sessionEvents(query)),
          rules,
          nowMs,
        },
        event,
      ),
    flush: making.flush,
    cut: () => digests.cut(),
    scrub: () => index.scrub(),
    again,
  };
}

interface Parts {
  readonly making: Making;
  readonly index: MemoryIndex;
  readonly giving: Giving;
  readonly welcome: Welcome;
}

/** What lies ready is as the last daemon left it: only what the rules or the address no longer allow is made again. */
async function begin(
  rows: MemoryRows,
  { making, index, giving, welcome, onTrouble }: Parts & { onTrouble: (error: unknown) => void },
): Promise<void> {
  const { digests } = giving;
  const known = await rows.projects();
  digests.touched(known.slice(0, PROJECTS_AT_START).filter((project) => !digests.isReady(project)));
  welcome.begin(known.length > 0);
  const hasWork = (await rows.outboxSize()) > 0;
  if (hasWork) making.drain().catch(onTrouble);
  if (hasWork || known.length > 0) index.changed();
}

function createListener(
  { home }: Base,
  { making, index, giving, welcome, note }: Parts & { note: (event: HooklineEvent) => void },
): AppliedListener {
  const { digests } = giving;
  return ({ events }) => {
    making.told(events);
    welcome.told(events);
    for (const event of events) {
      if (event.eventType === "compaction" && event.phase === "started") digests.compacting(event.sessionId);
      if (!isBegun(event)) continue;
      // Somebody may ask soon; not so in a backlog.
      if (events.length < BACKLOG) index.warm();
      const given = givenEvent(event, home, digests.givenAt);
      if (given !== undefined) note(given);
    }
  };
}
