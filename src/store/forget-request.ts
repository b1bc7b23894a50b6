import { AppError } from "../app-error.ts";
import { isPlainObject } from "../event/canonical.ts";
import { LEADING_KEYS } from "../event/line.ts";
import { foldNeedle } from "../privacy/forgotten-text.ts";

/** What to forget: everything that matches all given criteria. */
export interface ForgetRequest {
  /** Ids of memory items. */
  readonly ids?: readonly number[] | undefined;
  readonly session?: string | undefined;
  /** The project's folder, or a suffix of it. */
  readonly project?: string | undefined;
  /** A file's path, or a suffix of it. */
  readonly file?: string | undefined;
  readonly beforeIso?: string | undefined;
  readonly afterIso?: string | undefined;
  /** A text anywhere in the content, ignoring case. */
  readonly match?: string | undefined;
}

/** A shorter text would match nearly everything. */
const MIN_MATCH_CHARS = 3;
/** Two characters of these scripts carry as much as a word in others. */
const TWO_WIDE_CHARS = /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{2}/u;

export function assertForgetRequest(request: ForgetRequest): void {
  const criteria = Object.values(request).filter((value) => value !== undefined);
  if (criteria.length === 0 || criteria.some((value) => value.length === 0))
    throw new AppError("forget_nothing", "nothing to forget was named");
  if (request.match === undefined) return;
  const needle = foldNeedle(request.match);
  if (needle.length < MIN_MATCH_CHARS && !TWO_WIDE_CHARS.test(needle))
    throw new AppError("forget_too_short", `a text to forget needs at least ${MIN_MATCH_CHARS} characters`);
}

/** Whether whole sessions may match: no criterion is about the content of their events. */
export function targetsWholeSessions({ ids, file, match }: ForgetRequest): boolean {
  return ids === undefined && file === undefined && match === undefined;
}

/** A text alone is guarded from then on. Combined with other criteria, it may still occur elsewhere. */
export function isTextOnly({ match, ...others }: ForgetRequest): boolean {
  return match !== undefined && Object.values(others).every((value) => value === undefined);
}

export interface FactScope {
  readonly sessionId: string;
  /** The event's own project and its session's: an agent changes folders without leaving the project. */
  readonly projects: readonly (string | null | undefined)[];
  readonly atIso: string;
}

export function isInScope(request: ForgetRequest, { sessionId, projects, atIso }: FactScope): boolean {
  const { session, project } = request;
  if (session !== undefined && session !== sessionId) return false;
  if (project !== undefined && !projects.some((path) => path != null && isPathOrSuffix(path, project)))
    return false;
  if (request.beforeIso !== undefined && atIso >= request.beforeIso) return false;
  return request.afterIso === undefined || atIso >= request.afterIso;
}

function isPathOrSuffix(path: string, nameOrSuffix: string): boolean {
  const name = nameOrSuffix.replace(/\/+$/, "");
  return path === name || path.endsWith(name.startsWith("/") ? name : `/${name}`);
}

/** Whether an event or an item concerns a file: one of its values is the path, or a command names it. */
export function mentionsFile(record: Readonly<Record<string, unknown>>, file: string): boolean {
  const pending: unknown[] = Object.entries(record).flatMap(([key, value]) =>
    LOCATION_FIELDS.has(key) ? [] : [value],
  );
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === "string") {
      if (isPathOrSuffix(next, file)) return true;
    } else if (Array.isArray(next)) for (const inner of next) pending.push(inner);
    else if (isPlainObject(next)) {
      const { command } = next;
      if (
        typeof command === "string" &&
        command.split(WORD_SEPARATORS).some((word) => isPathOrSuffix(word, file))
      )
        return true;
      for (const inner of Object.values(next)) pending.push(inner);
    }
  }
  return false;
}

const LOCATION_FIELDS = new Set(LEADING_KEYS);
const WORD_SEPARATORS = /[\s"'`;|&()<>=,]+/;
