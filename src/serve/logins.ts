import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { AppError } from "../app-error.ts";
import { writeAtomically } from "../files/atomic-file.ts";

/** One browser that was let in. What it holds is a secret of its own; here is only its hash. */
export interface Login {
  readonly id: string;
  readonly browser: string;
  readonly createdAtIso: string;
  readonly lastUsedAtIso: string;
}

/** Browsers: let in by a code that is good once, known by a cookie, and shown the door again. */
export interface Logins {
  /** A code that a browser may be let in with: once, and not for long. */
  createCode(validMs: number): string;
  /** The secret for its cookie; null when the code is not good. After many bad ones that client is refused for a while. */
  enter(
    code: string,
    browser: string,
    client?: string,
  ): { readonly login: Login; readonly secret: string } | null;
  check(secret: string): Login | null;
  list(): readonly Login[];
  /** False when there is no such login. */
  revoke(id: string): boolean;
  /** Told when a login ends, for what it still holds open. Returns a way to be told no more. */
  whenRevoked(id: string, act: () => void): () => void;
}

export interface LoginsOptions {
  readonly file: string;
  readonly nowMs: () => number;
}

/** So long a browser stays known. */
export const LOGIN_MS = 30 * 24 * 3_600_000;
/** The file says when a login was last used to within this. */
const TOUCH_MS = 5 * 60_000;
const MOST_LOGINS = 50;
const MOST_CODES = 20;
const MOST_BAD = 10;
const MAX_CLIENTS = 1_000;
const BAD_MS = 60_000;

const Kept = z.object({
  id: z.string(),
  hash: z.string(),
  browser: z.string(),
  createdAtIso: z.string(),
  lastUsedAtIso: z.string(),
});
type Kept = z.infer<typeof Kept>;
const LoginsFile = z.object({ v: z.literal(1), logins: z.array(Kept) });

export function openLogins({ file, nowMs }: LoginsOptions): Logins {
  let kept = read(file);
  const codes = new Map<string, number>();
  const listeners = new Map<string, Set<() => void>>();
  const bad = createBadCodes(nowMs);

  const save = (): void => writeAtomically(file, `${JSON.stringify({ v: 1, logins: kept }, null, 2)}\n`);
  const isGood = ({ createdAtIso }: Kept): boolean => nowMs() - Date.parse(createdAtIso) < LOGIN_MS;
  const nowIso = (): string => new Date(nowMs()).toISOString();

  return {
    createCode(validMs) {
      for (const [hash, untilMs] of codes) if (untilMs <= nowMs()) codes.delete(hash);
      // The oldest goes: who asks for so many uses none of them.
      if (codes.size >= MOST_CODES) codes.delete(codes.keys().next().value!);
      const code = randomBytes(24).toString("base64url");
      codes.set(hashOf(code), nowMs() + validMs);
      return code;
    },
    enter(code, browser, client = "") {
      bad.refuseAfterMany(client);
      const hash = hashOf(code);
      const untilMs = codes.get(hash);
      codes.delete(hash);
      if (untilMs === undefined || untilMs <= nowMs()) {
        bad.note(client);
        return null;
      }
      const secret = randomBytes(32).toString("base64url");
      const login: Kept = {
        id: randomBytes(6).toString("hex"),
        hash: hashOf(secret),
        browser,
        createdAtIso: nowIso(),
        lastUsedAtIso: nowIso(),
      };
      kept = [...kept.filter(isGood).slice(-(MOST_LOGINS - 1)), login];
      save();
      return { login: toLogin(login), secret };
    },
    check(secret) {
      const hash = hashOf(secret);
      const found = kept.find((login) => login.hash === hash);
      if (found === undefined || !isGood(found)) return null;
      if (nowMs() - Date.parse(found.lastUsedAtIso) < TOUCH_MS) return toLogin(found);
      const used = { ...found, lastUsedAtIso: nowIso() };
      kept = kept.map((login) => (login === found ? used : login));
      save();
      return toLogin(used);
    },
    list: () => kept.filter(isGood).map(toLogin),
    revoke(id) {
      if (!kept.some((login) => login.id === id)) return false;
      kept = kept.filter((login) => login.id !== id);
      save();
      for (const act of listeners.get(id) ?? []) act();
      listeners.delete(id);
      return true;
    },
    whenRevoked(id, act) {
      const acts = listeners.get(id) ?? new Set();
      listeners.set(id, acts.add(act));
      return () => {
        acts.delete(act);
        if (acts.size === 0) listeners.delete(id);
      };
    },
  };
}

interface BadCodes {
  /** Throws for a client that has had too many in the last minute. */
  refuseAfterMany(client: string): void;
  note(client: string): void;
}

/** Each client for itself: one that guesses keeps out only itself. */
function createBadCodes(nowMs: () => number): BadCodes {
  const times = new Map<string, number[]>();
  const recent = (client: string): number[] =>
    (times.get(client) ?? []).filter((atMs) => nowMs() - atMs < BAD_MS);
  return {
    refuseAfterMany(client) {
      if (recent(client).length >= MOST_BAD)
        throw new AppError("login_limited", "too many codes that were not good");
    },
    note(client) {
      // The oldest goes: it has waited longest.
      if (times.size >= MAX_CLIENTS) times.delete(times.keys().next().value!);
      times.set(client, [...recent(client), nowMs()]);
    },
  };
}

function toLogin({ hash: _hash, ...login }: Kept): Login {
  return login;
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** A file that cannot be read lets nobody in: a browser is let in again with one command. */
function read(file: string): readonly Kept[] {
  try {
    return LoginsFile.parse(JSON.parse(readFileSync(file, "utf8"))).logins;
  } catch {
    return [];
  }
}
