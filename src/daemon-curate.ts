import { randomBytes } from "node:crypto";
import { AppError } from "./app-error.ts";
import type { Acceptor } from "./capture/accept.ts";
import type { Memory } from "./daemon-memory.ts";
import type { HooklineEvent } from "./event/event.ts";
import type { Home } from "./home.ts";
import type { Log } from "./log/log.ts";
import { exportItems } from "./memory/curate/export-items.ts";
import { importClaudeMem } from "./memory/curate/import-claude-mem.ts";
import { importItems } from "./memory/curate/import-items.ts";
import type { ItemWriterOptions } from "./memory/curate/write-items.ts";
import type { MemoryItem } from "./memory/memory-item.ts";
import { fromItemRow } from "./memory/resolve-item.ts";
import type { MemoryPorts } from "./serve/memory-ports.ts";
import { type ForgetPorts, finishForgetting, forgetFacts } from "./store/forget-facts.ts";
import type { StoreKeeper } from "./store/keep-store.ts";
import type { MemoryRows } from "./store/memory-rows.ts";
import { readClaudeMem } from "./store/sqlite/read-claude-mem.ts";

/** What a person does to what is kept: forget it, take it along, bring it in. */
export interface Curation {
  readonly ports: Pick<MemoryPorts, "forget" | "exportLines" | "importLines" | "importClaudeMem">;
  /** Ends what was begun when an earlier daemon was killed. */
  finish(): Promise<void>;
  isForgetting(): boolean;
}

export interface CurationOptions {
  readonly home: Home;
  readonly log: Log;
  readonly keeper: StoreKeeper;
  readonly memory: Memory;
  readonly openAcceptor: () => Acceptor;
  readonly append: (events: readonly HooklineEvent[]) => Promise<unknown>;
  /** The log is not rewritten by others meanwhile, and is sound. */
  readonly tend: <T>(work: () => Promise<T>) => Promise<T>;
  readonly flush: () => Promise<void>;
  readonly forgetSessions: (sessionIds: readonly string[]) => void;
  readonly nowMs: () => number;
}

export function openCuration(options: CurationOptions): Curation {
  const { keeper, memory } = options;
  let forgetting = 0;
  const ports: ForgetPorts = {
    home: options.home,
    log: options.log,
    forgetting: () => keeper.store.forgetting,
    append: options.append,
    settle: options.flush,
    follow: () => keeper.follow(),
    alone: (work) => options.tend(() => keeper.alone(work)),
    onCut: options.forgetSessions,
    remake: () => memory.flush(),
    scrub: () => memory.scrub(),
    nowMs: options.nowMs,
    salt: () => randomBytes(16).toString("hex"),
  };
  let last: Promise<unknown> = Promise.resolve();
  /** One at a time: each looks for what the one before has cut. */
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    forgetting++;
    const next = last.then(work, work).finally(() => forgetting--);
    last = next.catch(() => undefined);
    return next;
  };
  const writing = (): ItemWriterOptions => ({
    acceptor: options.openAcceptor(),
    append: options.append,
    has: (factId) => memory.rows((rows) => rows.fact(factId) !== undefined),
  });
  const settled = async (): Promise<void> => {
    await keeper.follow();
    await memory.flush();
  };
  return {
    isForgetting: () => forgetting > 0,
    finish: () => inTurn(async () => void (await finishForgetting(ports))),
    ports: {
      async forget({ dryRun = false, ...request }) {
        checkSession(keeper, request.session);
        const report = await inTurn(() => forgetFacts(request, ports, dryRun));
        if (!dryRun) memory.again();
        return report;
      },
      async *exportLines({ project }) {
        await memory.flush();
        const projects = project === undefined ? undefined : memory.rows((rows) => rows.projects(project));
        yield* exportItems(memory.rows(allItems), { projects });
      },
      importLines: (lines) =>
        inTurn(async () => {
          const known = (id: number): boolean => memory.rows((rows) => rows.items([id]).length > 0);
          const { items, skipped, badLines, bad } = await importItems({
            ...writing(),
            lines,
            hasItem: known,
          });
          await settled();
          return { items, skipped, badLines, bad: [...bad] };
        }),
      importClaudeMem: (path) =>
        inTurn(async () => {
          const source = readClaudeMem(path);
          try {
            const hasSession = (id: string): boolean =>
              memory.rows((rows) => rows.sessionRow(id) !== undefined);
            const projectsNamed = (name: string): string[] => memory.rows((rows) => rows.projects(name));
            const counts = await importClaudeMem({ ...writing(), source, hasSession, projectsNamed });
            await settled();
            return counts;
          } finally {
            source.close();
          }
        }),
    },
  };
}

function* allItems(rows: MemoryRows): Generator<MemoryItem> {
  for (const row of rows.allItems()) yield fromItemRow(row);
}

function checkSession(keeper: StoreKeeper, id: string | undefined): void {
  if (id === undefined || keeper.use((store) => store.sessions.sessionIds(id, 1)).includes(id)) return;
  throw new AppError("session_unknown", `there is no session ${id}`);
}
