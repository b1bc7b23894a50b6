import { randomBytes } from "node:crypto";
import { AppError } from "../app-error.ts";
import { exportItems, itemPages } from "../memory/curate/export-items.ts";
import { importClaudeMem } from "../memory/curate/import-claude-mem.ts";
import { importItems } from "../memory/curate/import-items.ts";
import type { ItemWriterOptions } from "../memory/curate/write-items.ts";
import { countLostSummaries } from "../memory/lost-summaries.ts";
import { createSerialQueue } from "../serial-queue.ts";
import type { MemoryPorts } from "../serve/memory-ports.ts";
import { resolveId } from "../serve/resolve-ids.ts";
import { type ForgetPorts, finishForgetting, forgetFacts } from "../store/forget-facts.ts";
import type { LiveStore } from "../store/live-store.ts";
import { openClaudeMem } from "../store/sqlite/open-claude-mem.ts";
import type { Base } from "./base.ts";
import { refuseFullDisk } from "./home-errors.ts";
import type { Recording } from "./recording.ts";
import type { Memory } from "./remembering/remembering.ts";

/** What a user does to stored data: forget, export and import it. */
export interface Curation {
  readonly ports: Pick<MemoryPorts, "forget" | "exportLines" | "importLines" | "importClaudeMem">;
  /** Completes operations interrupted when an earlier daemon was killed. */
  finish(): Promise<void>;
  isForgetting(): boolean;
}

export interface CurationParts {
  readonly memory: Memory;
  readonly flush: () => Promise<void>;
  readonly forgetSessions: (sessionIds: readonly string[]) => void;
}

const MAX_MATCHES = 10;

export function openCuration(
  { home, nowMs }: Base,
  recording: Recording,
  { memory, flush, forgetSessions }: CurationParts,
): Curation {
  const { liveStore, log, append, openAcceptor, withSoundLog } = recording;
  let forgetting = 0;
  const ports: ForgetPorts = {
    home,
    log,
    forgetting: () => liveStore.store.forgetting,
    append,
    flush: flush,
    follow: () => liveStore.follow(),
    runExclusive: (work) => withSoundLog(() => liveStore.runExclusive(work)),
    onErased: (sessionIds) => {
      memory.discardInFlight();
      forgetSessions(sessionIds);
    },
    countLostSummaries: async (found) => {
      await memory.flush();
      return countLostSummaries(memory.rows, found);
    },
    rebuildItems: () => memory.flush(),
    scrubIndex: () => memory.scrub(),
    nowMs,
    createSalt: () => randomBytes(16).toString("hex"),
  };
  const queue = createSerialQueue();
  /** Serialized: each one searches what the previous one has cut. */
  const runExclusive = <T>(work: () => Promise<T>): Promise<T> => {
    forgetting++;
    return queue.run(work).finally(() => forgetting--);
  };
  const writerOptions = (): ItemWriterOptions => ({
    acceptor: openAcceptor(),
    append,
    hasFact: async (factId) => (await memory.rows.fact(factId)) !== undefined,
  });
  const waitUntilBuilt = async (): Promise<void> => {
    await liveStore.follow();
    await memory.flush();
  };
  return {
    isForgetting: () => forgetting > 0,
    finish: () => runExclusive(async () => void (await finishForgetting(ports))),
    ports: {
      async forget({ dryRun = false, ...request }) {
        const { session: named } = request;
        const session = named === undefined ? undefined : await findSession(liveStore, named, flush);
        if (!dryRun) refuseFullDisk(home);
        const report = await runExclusive(() => forgetFacts({ ...request, session }, ports, dryRun));
        if (!dryRun) memory.reload();
        return report;
      },
      async *exportLines({ project }) {
        await memory.flush();
        const projects = project === undefined ? undefined : await memory.rows.projects(project);
        for await (const items of itemPages(memory.rows)) yield* exportItems(items, { projects });
      },
      importLines: (lines) =>
        runExclusive(async () => {
          refuseFullDisk(home);
          const hasItem = async (id: number): Promise<boolean> => (await memory.rows.items([id])).length > 0;
          const { items, skipped, badLines, bad } = await importItems({
            ...writerOptions(),
            lines,
            hasItem: hasItem,
          });
          await waitUntilBuilt();
          return { items, skipped, badLines, bad: [...bad] };
        }),
      importClaudeMem: (path) =>
        runExclusive(async () => {
          refuseFullDisk(home);
          const source = openClaudeMem(path);
          try {
            const hasSession = async (id: string): Promise<boolean> =>
              (await memory.rows.sessionRow(id)) !== undefined;
            const projectsNamed = (name: string): Promise<string[]> => memory.rows.projects(name);
            const counts = await importClaudeMem({ ...writerOptions(), source, hasSession, projectsNamed });
            await waitUntilBuilt();
            return counts;
          } finally {
            source.close();
          }
        }),
    },
  };
}

/** A missing session may be among events that are not in the store yet, such as those of a running import. */
async function findSession(liveStore: LiveStore, id: string, flush: () => Promise<void>): Promise<string> {
  const find = async (): Promise<string | undefined> => {
    const hasItem = await liveStore.use((store) => store.sessions.sessionIds(id, MAX_MATCHES));
    return hasItem.find((sessionId) => sessionId === resolveId(id, hasItem, "session"));
  };
  const found = (await find()) ?? (await flush().then(find));
  if (found === undefined) throw new AppError("session_unknown", `session ${id} not found`);
  return found;
}
