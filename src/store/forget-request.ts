import { AppError } from "../app-error.ts";
import { isPlainObject } from "../event/canonical.ts";
import type { HooklineEvent } from "../event/event.ts";
import { LEADING } from "../event/line.ts";
import { foldNeedle } from "../privacy/forgotten-text.ts";

/** What is to be forgotten: what meets all that is given. */
export interface ForgetRequest {
  /** Of items of memory. */
  readonly ids?: readonly number[] | undefined;
  readonly session?: string | undefined;
  /** The project's folder, or the end of it. */
  readonly project?: string | undefined;
  /** A file's path, or the end of it. */
  readonly file?: string | undefined;
  readonly beforeIso?: string | undefined;
  readonly afterIso?: string | undefined;
  /** A text, wherever it stands, whatever the case. */
  readonly match?: string | undefined;
}

/** Shorter, it would be in nearly everything. */
const SHORTEST_MATCH = 3;
/** Two letters of these say what a word of others does. */
const WIDE = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u;

export function checkRequest(request: ForgetRequest): void {
  const criteria = Object.values(request).filter((value) => value !== undefined);
  if (criteria.length === 0 || criteria.some((value) => value.length === 0))
    throw new AppError("forget_nothing", "nothing was named that should be forgotten");
  if (request.match === undefined) return;
  const needle = foldNeedle(request.match);
  if (needle.length < SHORTEST_MATCH && !WIDE.test(needle))
    throw new AppError("forget_too_short", `a text to forget has at least ${SHORTEST_MATCH} characters`);
}

/** Whether whole sessions may be meant: nothing was asked about what their events hold. */
export function isBroad({ ids, file, match }: ForgetRequest): boolean {
  return ids === undefined && file === undefined && match === undefined;
}

/** A text alone is guarded from then on. With other criteria it may stand elsewhere, and nobody said it must not. */
export function isTextAlone({ match, ...others }: ForgetRequest): boolean {
  return match !== undefined && Object.values(others).every((value) => value === undefined);
}

export interface FactPlace {
  readonly sessionId: string;
  /** Its own, and its session's: an agent changes folders without leaving the project. */
  readonly projects: readonly (string | null | undefined)[];
  readonly atIso: string;
}

export function isInScope(request: ForgetRequest, { sessionId, projects, atIso }: FactPlace): boolean {
  const { session, project } = request;
  if (session !== undefined && session !== sessionId) return false;
  if (project !== undefined && !projects.some((path) => path != null && isPathOrEnd(path, project)))
    return false;
  if (request.beforeIso !== undefined && atIso >= request.beforeIso) return false;
  return request.afterIso === undefined || atIso >= request.afterIso;
}

function isPathOrEnd(path: string, wanted: string): boolean {
  const name = wanted.replace(/\/+$/, "");
  return path === name || path.endsWith(name.startsWith("/") ? name : `/${name}`);
}

/** Whether an event is about a file: one of its values is the path, or a command names it. */
export function touchesFile(event: HooklineEvent, file: string): boolean {
  const rest: unknown[] = Object.entries(event).flatMap(([key, value]) => (PLACES.has(key) ? [] : [value]));
  while (rest.length > 0) {
    const next = rest.pop();
    if (typeof next === "string") {
      if (isPathOrEnd(next, file)) return true;
    } else if (Array.isArray(next)) for (const inner of next) rest.push(inner);
    else if (isPlainObject(next)) {
      const { command } = next;
      if (typeof command === "string" && command.split(WORD_ENDS).some((word) => isPathOrEnd(word, file)))
        return true;
      for (const inner of Object.values(next)) rest.push(inner);
    }
  }
  return false;
}

const PLACES = new Set(LEADING);
const WORD_ENDS = /[\s"'`;|&()<>=,]+/;
