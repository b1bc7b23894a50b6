import { homedir } from "node:os";
import { join } from "node:path";

/** All our paths. Every file name under the home is defined here and nowhere else. */
export interface Home {
  readonly dir: string;
  readonly spool: string;
  readonly context: string;
  readonly contextOff: string;
  readonly stream: string;
  readonly quarantine: string;
  readonly logs: string;
  readonly db: string;
  readonly searchDb: string;
  readonly modelFolder: string;
  readonly sock: string;
  readonly pidFile: string;
  readonly lockFile: string;
  /** Held by the one daemon that waits for `lockFile`. */
  readonly nextLockFile: string;
  /** Which command is working in the home, if any. */
  readonly workFile: string;
  readonly tokenFile: string;
  readonly logins: string;
  readonly configFile: string;
  readonly daemonJson: string;
  readonly launcher: string;
  readonly pauses: string;
  /** Printed by the start hook of the first session. */
  readonly welcome: string;
  readonly limits: string;
  readonly lastSeen: string;
  readonly rules: string;
  readonly trust: string;
  readonly locks: string;
  readonly guardNotices: string;
  readonly backups: string;
  readonly metrics: string;
  readonly daemonLog: string;
  readonly crashedStarts: string;
}

export type Env = Readonly<Record<string, string | undefined>>;

export function resolveHome(env: Env = process.env): Home {
  const dir = env["HOOKLINE_HOME"] || join(env["HOME"] || homedir(), ".hookline");
  return {
    dir,
    spool: join(dir, "spool"),
    context: join(dir, "context"),
    contextOff: join(dir, "context-off.json"),
    stream: join(dir, "stream"),
    quarantine: join(dir, "quarantine"),
    logs: join(dir, "logs"),
    db: join(dir, "hookline.db"),
    searchDb: join(dir, "search.db"),
    modelFolder: join(dir, "model"),
    sock: join(dir, "sock"),
    pidFile: join(dir, "daemon.pid"),
    lockFile: join(dir, "daemon.lock"),
    nextLockFile: join(dir, "daemon.next"),
    workFile: join(dir, "work.json"),
    tokenFile: join(dir, "token"),
    logins: join(dir, "logins.json"),
    configFile: join(dir, "config.json"),
    daemonJson: join(dir, "daemon.json"),
    launcher: join(dir, "launch"),
    pauses: join(dir, "pauses.json"),
    welcome: join(dir, "welcome.json"),
    limits: join(dir, "limits.json"),
    lastSeen: join(dir, "seen.json"),
    rules: join(dir, "rules.json"),
    trust: join(dir, "trust.json"),
    locks: join(dir, "locks"),
    guardNotices: join(dir, "guard-told"),
    backups: join(dir, "backups"),
    metrics: join(dir, "metrics.jsonl"),
    daemonLog: join(dir, "logs", "daemon.log"),
    crashedStarts: join(dir, "daemon.lives"),
  };
}
