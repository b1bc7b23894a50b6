/** Whether a person approved a project's rules: asked for all the time, looked up now and then. */
export interface RulesTrust {
  /** As far as is known; what is not is not trusted. */
  isTrusted(root: string, text: string): boolean;
  /** Looks it up, if that was not done lately, and waits for it. */
  prepare(root: string, text: string): Promise<void>;
}

export interface RulesTrustOptions {
  /** Looks at the whole project. */
  readonly look: (root: string) => Promise<boolean>;
  /** The text of the project's rules now; null when it cannot be had. */
  readonly read: (root: string) => string | null;
  /** Changes when somebody approves or revokes something. */
  readonly version: () => string;
  readonly nowMs?: () => number;
}

/** So long an answer is believed: other files of the project count too, and nobody says when they change. */
const BELIEVED_MS = 5_000;
/** So long it is believed while it is looked up again: a large project takes a while, and a tool call waits. */
const BELIEVED_MEANWHILE_MS = 60_000;
const MOST = 1_000;

interface Known {
  readonly text: string;
  readonly version: string;
  readonly atMs: number;
  /** When the look began that gave `trusted`. */
  knownMs: number;
  trusted: boolean;
  looking: Promise<void> | null;
}

export function createRulesTrust({ look, read, version, nowMs = Date.now }: RulesTrustOptions): RulesTrust {
  const known = new Map<string, Known>();

  const lookAt = (root: string, text: string): Known => {
    const before = known.get(root);
    const versionNow = version();
    const isSame = before?.text === text && before.version === versionNow;
    if (before !== undefined && isSame && (before.looking !== null || nowMs() - before.atMs < BELIEVED_MS))
      return before;
    const entry: Known = {
      text,
      version: versionNow,
      atMs: nowMs(),
      knownMs: isSame ? before!.knownMs : Number.NEGATIVE_INFINITY,
      trusted: before?.text === text && before.trusted,
      looking: null,
    };
    entry.looking = look(root)
      // What was approved is what lies there; it must be what was asked about.
      .then((isApproved) => isApproved && read(root) === text)
      .catch(() => false)
      .then((isApproved) => {
        entry.trusted = isApproved;
        entry.knownMs = entry.atMs;
        entry.looking = null;
      });
    if (known.size >= MOST) known.clear();
    known.set(root, entry);
    return entry;
  };

  return {
    isTrusted: (root, text) => lookAt(root, text).trusted,
    prepare: async (root, text) => {
      const { looking, knownMs } = lookAt(root, text);
      if (nowMs() - knownMs >= BELIEVED_MEANWHILE_MS) await looking;
    },
  };
}
