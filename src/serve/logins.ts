import { createHash, randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { z } from "zod";
import { AppError } from "../app-error.ts";
import { writeAtomically } from "../files/atomic-file.ts";

/** A signed-in browser. The browser holds the secret; only its hash is stored here. */
export interface Login {
  readonly id: string;
  readonly browser: string;
  readonly createdAtIso: string;
  readonly lastUsedAtIso: string;
}

/** Signed-in browsers: admitted by a single-use code, identified by a cookie, and revocable. */
export interface Logins {
  /** Creates a single-use, short-lived sign-in code. */
  createCode(validMs: number): string;
  /** The secret for the cookie; null for an invalid code. Too many bad codes block a client for a while. */
  redeemCode(
    code: string,
    browser: string,
    client?: string,
  ): { readonly login: Login; readonly secret: string } | null;
  check(secret: string): Login | null;
  list(): readonly Login[];
  /** False when there is no such login. */
  revoke(id: string): boolean;
  /** Calls `act` when the login ends, to close what it still holds open. Returns an unsubscribe function. */
  onRevoked(id: string, listener: () => void): () => void;
}

export interface LoginsOptions {
  readonly file: string;
  readonly nowMs: () => number;
}

/** How long a browser stays signed in. */
export const LOGIN_LIFETIME_MS = 30 * 24 * 3_600_000;
/** The precision to which the file records when a login was last used. */
const LAST_USED_PRECISION_MS = 5 * 60_000;
const MAX_LOGINS = 50;
const MAX_CODES = 20;
const MAX_BAD_CODES = 10;
const MAX_CLIENTS = 1_000;
const BAD_CODE_WINDOW_MS = 60_000;

const StoredLogin = z.object({
  id: z.string(),
  hash: z.string(),
  browser: z.string(),
  createdAtIso: z.string(),
  lastUsedAtIso: z.string(),
});
type StoredLogin = z.infer<typeof StoredLogin>;
const LoginsFile = z.object({ v: z.literal(1), logins: z.array(StoredLogin) });

export function openLogins({ file, nowMs }: LoginsOptions): Logins {
  let storedLogins = read(file);
  const codes = new Map<string, number>();
  const listeners = new Map<string, Set<() => void>>();
  const badCodes = createBadCodes(nowMs);

  const save = (): void =>
    writeAtomically(file, `${JSON.stringify({ v: 1, logins: storedLogins }, null, 2)}\n`);
  const isValid = ({ createdAtIso }: StoredLogin): boolean =>
    nowMs() - Date.parse(createdAtIso) < LOGIN_LIFETIME_MS;
  const nowIso = (): string => new Date(nowMs()).toISOString();

  return {
    createCode(validMs) {
      for (const [hash, untilMs] of codes) if (untilMs <= nowMs()) codes.delete(hash);
      // Drops the oldest: a client with so many uses none.
      if (codes.size >= MAX_CODES) codes.delete(codes.keys().next().value!);
      const code = randomBytes(24).toString("base64url");
      codes.set(hashOf(code), nowMs() + validMs);
      return code;
    },
    redeemCode(code, browser, client = "") {
      badCodes.throwIfLimited(client);
      const hash = hashOf(code);
      const untilMs = codes.get(hash);
      codes.delete(hash);
      if (untilMs === undefined || untilMs <= nowMs()) {
        badCodes.record(client);
        return null;
      }
      const secret = randomBytes(32).toString("base64url");
      const login: StoredLogin = {
        id: randomBytes(6).toString("hex"),
        hash: hashOf(secret),
        browser,
        createdAtIso: nowIso(),
        lastUsedAtIso: nowIso(),
      };
      storedLogins = [...storedLogins.filter(isValid).slice(-(MAX_LOGINS - 1)), login];
      save();
      return { login: toLogin(login), secret };
    },
    check(secret) {
      const hash = hashOf(secret);
      const found = storedLogins.find((login) => login.hash === hash);
      if (found === undefined || !isValid(found)) return null;
      if (nowMs() - Date.parse(found.lastUsedAtIso) < LAST_USED_PRECISION_MS) return toLogin(found);
      const used = { ...found, lastUsedAtIso: nowIso() };
      storedLogins = storedLogins.map((login) => (login === found ? used : login));
      save();
      return toLogin(used);
    },
    list: () => storedLogins.filter(isValid).map(toLogin),
    revoke(id) {
      if (!storedLogins.some((login) => login.id === id)) return false;
      storedLogins = storedLogins.filter((login) => login.id !== id);
      save();
      for (const listener of listeners.get(id) ?? []) listener();
      listeners.delete(id);
      return true;
    },
    onRevoked(id, listener) {
      const loginListeners = listeners.get(id) ?? new Set();
      listeners.set(id, loginListeners.add(listener));
      return () => {
        loginListeners.delete(listener);
        if (loginListeners.size === 0) listeners.delete(id);
      };
    },
  };
}

interface BadCodes {
  /** Throws for a client that sent too many in the last minute. */
  throwIfLimited(client: string): void;
  record(client: string): void;
}

/** Limits each client separately, so one that guesses locks out only itself. */
function createBadCodes(nowMs: () => number): BadCodes {
  const times = new Map<string, number[]>();
  const recent = (client: string): number[] =>
    (times.get(client) ?? []).filter((atMs) => nowMs() - atMs < BAD_CODE_WINDOW_MS);
  return {
    throwIfLimited(client) {
      if (recent(client).length >= MAX_BAD_CODES)
        throw new AppError("login_limited", "too many invalid codes");
    },
    record(client) {
      // Drops the oldest: it has waited longest.
      if (times.size >= MAX_CLIENTS) times.delete(times.keys().next().value!);
      times.set(client, [...recent(client), nowMs()]);
    },
  };
}

function toLogin({ hash: _hash, ...login }: StoredLogin): Login {
  return login;
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}

/** An unreadable file signs everyone out: signing in again takes one command. */
function read(file: string): readonly StoredLogin[] {
  try {
    return LoginsFile.parse(JSON.parse(readFileSync(file, "utf8"))).logins;
  } catch {
    return [];
  }
}
