import type { AnswerFormat } from "../agents/answer-format.ts";
import {
  buildProjectDigests,
  DIGEST_SOURCES,
  type ProjectDigestsOptions,
  previewDigest,
} from "./build-project-digests.ts";
import { injectionNotice, sessionStartAnswer } from "./inject/answers.ts";
import type { DigestSource } from "./inject/build-digest.ts";
import { createDigestHistory } from "./inject/digest-history.ts";
import type { InjectedContext } from "./inject/fill-budget.ts";
import { checkInjection } from "./inject/injection-rules.ts";
import type { DigestName, WrittenDigests } from "./inject/write-digests.ts";
import { createOpenWorkTracker, readOpenWork } from "./open-work-tracker.ts";
import { createRefreshQueue } from "./refresh-queue.ts";

/** Maintains the digest files that sessions read at their start: one for any session, and some for one. */
export interface DigestStore {
  /** These projects changed; the list may still be pending. */
  markStale(projects: Iterable<string> | Promise<Iterable<string>>): void;
  /** Something was forgotten: rebuild any digest in progress, since it was read before that. */
  discardInFlight(): void;
  /** A session is about to lose its context. */
  beforeCompaction(sessionId: string): void;
  /** Whether the files on disk match what the current rules allow; their content is not checked. */
  isReady(project: string): boolean;
  /** Resolves when all stale projects are written. */
  settle(): Promise<void>;
  /** What would be injected now. */
  preview(project: string, source: DigestSource): Promise<InjectedContext | { readonly off: string } | null>;
  /** What was injected into a session that started then, if known. */
  injectedAt(
    project: string,
    sessionId: string,
    source: DigestSource,
    atIso: string,
  ): InjectedContext | undefined;
  close(): Promise<void>;
}

export interface DigestStoreOptions extends ProjectDigestsOptions {
  readonly write: (project: string, files: ReadonlyMap<DigestName, string>) => Promise<WrittenDigests>;
  /** The digest on disk for any session of a project; null if none. */
  readonly read: (project: string, source: DigestSource) => string | null;
  /** The agent format in which digests are written. */
  readonly answers: AnswerFormat;
  /** Null: no notice is shown to the user. */
  readonly port: () => number | null;
  readonly notice: boolean;
  readonly onError: (error: unknown) => void;
}

export function openDigestStore(options: DigestStoreOptions): DigestStore {
  const { nowMs, onError } = options;
  const history = createDigestHistory(nowMs);
  const openWork = createOpenWorkTracker(nowMs);
  const queue = createRefreshQueue({ refresh, onError });
  let discardCount = 0;

  async function refresh(project: string): Promise<void> {
    const discardCountBefore = discardCount;
    const digests = await buildProjectDigests(options, openWork, project);
    if (discardCount !== discardCountBefore) {
      queue.add([project]);
      return;
    }
    history.record(project, digests);
    await options.write(project, toFiles(options, digests));
  }

  async function noteOpenWork(sessionId: string): Promise<void> {
    const discardCountBefore = discardCount;
    const found = await readOpenWork(options.rows, sessionId);
    if (discardCount !== discardCountBefore) return noteOpenWork(sessionId);
    if (found === null) return;
    openWork.record(sessionId, found);
    queue.add([found.project]);
  }

  return {
    markStale(projects) {
      if (projects instanceof Promise) queue.track(projects.then(queue.add));
      else queue.add(projects);
    },
    discardInFlight() {
      discardCount++;
    },
    beforeCompaction: (sessionId) => queue.track(noteOpenWork(sessionId)),
    isReady: (project) => isReady(options, project),
    settle: queue.settle,
    preview: (project, source) => previewDigest(options, project, source),
    injectedAt: history.injectedAt,
    close: queue.close,
  };
}

function toFiles(
  options: DigestStoreOptions,
  digests: ReadonlyMap<DigestName, InjectedContext | null>,
): Map<DigestName, string> {
  const files = new Map<DigestName, string>();
  for (const [name, context] of digests) {
    // An empty file keeps this session from reading the one for any session.
    if (context !== null)
      files.set(
        name,
        sessionStartAnswer(
          options.answers,
          context,
          options.notice ? injectionNotice(context, options.port()) : null,
        ),
      );
    else if (name.includes("-")) files.set(name, "");
  }
  return files;
}

function isReady(options: DigestStoreOptions, project: string): boolean {
  const rules = options.rules();
  const address = options.notice && options.port() !== null ? `127.0.0.1:${options.port()}` : "";
  return DIGEST_SOURCES.every((source) => {
    const text = options.read(project, source);
    const isAllowed = checkInjection(rules, { kind: source, project, sessionId: null }).type === "yes";
    // A project with nothing to say lacks the other two; every project has a startup digest.
    return text === null ? !isAllowed || source !== "startup" : isAllowed && text.includes(address);
  });
}
