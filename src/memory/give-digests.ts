import type { AnswerFormat } from "../agents/answer-format.ts";
import { createDueProjects } from "./due-projects.ts";
import { noticeOf, sessionStartAnswer } from "./inject/answers.ts";
import type { DigestSource } from "./inject/build-digest.ts";
import { createDigestHistory } from "./inject/digest-history.ts";
import type { Given } from "./inject/fill-budget.ts";
import { mayGive } from "./inject/rules.ts";
import type { DigestName, WrittenDigests } from "./inject/write-digests.ts";
import { DIGEST_SOURCES, type MakeDigestsOptions, makeDigests, previewDigest } from "./make-digests.ts";
import { createOpenWork, readOpenWork } from "./open-work.ts";

/** Keeps ready, as files, what sessions are given at their start: for any session of a project, and for some. */
export interface DigestKeeper {
  /** Something of these projects changed; they may still be asked for. */
  touched(projects: Iterable<string> | Promise<Iterable<string>>): void;
  /** Something was forgotten: what is being made of what was read before is made again. */
  cut(): void;
  /** A session is about to lose its context. */
  compacting(sessionId: string): void;
  /** Whether what lies ready is what the rules of now let lie there; what it says is not looked at. */
  isReady(project: string): boolean;
  /** All that was touched is written. */
  settle(): Promise<void>;
  /** What would be given now. */
  preview(project: string, source: DigestSource): Promise<Given | { readonly off: string } | null>;
  /** What was given to a session that began then, as far as it is known. */
  givenAt(project: string, sessionId: string, source: DigestSource, atIso: string): Given | undefined;
  close(): Promise<void>;
}

export interface DigestOptions extends MakeDigestsOptions {
  readonly write: (project: string, files: ReadonlyMap<DigestName, string>) => Promise<WrittenDigests>;
  /** What lies ready for any session of a project; null: nothing. */
  readonly read: (project: string, source: DigestSource) => string | null;
  /** In whose words digests are written. */
  readonly answers: AnswerFormat;
  /** Null: no notice is shown to the person. */
  readonly port: () => number | null;
  readonly notice: boolean;
  readonly onTrouble: (error: unknown) => void;
}

export function keepDigests(options: DigestOptions): DigestKeeper {
  const { nowMs, onTrouble } = options;
  const history = createDigestHistory(nowMs);
  const openWork = createOpenWork(nowMs);
  const due = createDueProjects({ refresh, onTrouble });
  let cuts = 0;

  async function refresh(project: string): Promise<void> {
    const cutsBefore = cuts;
    const digests = await makeDigests(options, openWork, project);
    if (cuts !== cutsBefore) {
      due.add([project]);
      return;
    }
    history.note(project, digests);
    await options.write(project, toFiles(options, digests));
  }

  async function noteOpenWork(sessionId: string): Promise<void> {
    const cutsBefore = cuts;
    const found = await readOpenWork(options.rows, sessionId);
    if (cuts !== cutsBefore) return noteOpenWork(sessionId);
    if (found === null) return;
    openWork.note(sessionId, found);
    due.add([found.project]);
  }

  return {
    touched(projects) {
      if (projects instanceof Promise) due.expect(projects.then(due.add));
      else due.add(projects);
    },
    cut() {
      cuts++;
    },
    compacting: (sessionId) => due.expect(noteOpenWork(sessionId)),
    isReady: (project) => isReady(options, project),
    settle: due.settle,
    preview: (project, source) => previewDigest(options, project, source),
    givenAt: history.givenAt,
    close: due.close,
  };
}

function toFiles(
  options: DigestOptions,
  digests: ReadonlyMap<DigestName, Given | null>,
): Map<DigestName, string> {
  const files = new Map<DigestName, string>();
  for (const [name, given] of digests) {
    // Empty for a session that is to be given nothing where others are.
    if (given !== null)
      files.set(
        name,
        sessionStartAnswer(options.answers, given, options.notice ? noticeOf(given, options.port()) : null),
      );
    else if (name.includes("-")) files.set(name, "");
  }
  return files;
}

function isReady(options: DigestOptions, project: string): boolean {
  const rules = options.rules();
  const address = options.notice && options.port() !== null ? `127.0.0.1:${options.port()}` : "";
  return DIGEST_SOURCES.every((source) => {
    const text = options.read(project, source);
    const isAllowed = mayGive(rules, { kind: source, project, sessionId: null }).type === "yes";
    // A project of which there is nothing to tell has no other two; all have a beginning.
    return text === null ? !isAllowed || source !== "startup" : isAllowed && text.includes(address);
  });
}
