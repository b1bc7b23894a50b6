/** Whether a person approved a project's rules: asked constantly, checked only now and then. */
export interface RulesTrust {
  /** By what is known so far; unknown means not trusted. */
  isTrusted(root: string, text: string): boolean;
  /** Waits for the check, unless a recent result exists. */
  prepare(root: string, text: string): Promise<void>;
}

export interface RulesTrustOptions {
  /** Inspects the whole project. */
  readonly checkProject: (root: string) => Promise<boolean>;
  /** Current text of the project's rules; null if it cannot be read. */
  readonly read: (root: string) => string | null;
  /** Changes when an approval is granted or revoked. */
  readonly version: () => string;
  readonly nowMs?: () => number;
}

/** How long a result is valid: other files of the project count too, and their changes are not reported. */
const FRESH_MS = 5_000;
/** How long a result is used while a new check runs: a large project takes a while, and a tool call waits. */
const STALE_MS = 60_000;
const MAX_PROJECTS = 1_000;

interface Known {
  readonly text: string;
  readonly version: string;
  readonly atMs: number;
  /** When the check that set `trusted` started. */
  knownMs: number;
  trusted: boolean;
  checking: Promise<void> | null;
}

export function createRulesTrust({
  checkProject,
  read,
  version,
  nowMs = Date.now,
}: RulesTrustOptions): RulesTrust {
  const known = new Map<string, Known>();

  const lookAt = (root: string, text: string): Known => {
    const before = known.get(root);
    const versionNow = version();
    const isSame = before?.text === text && before.version === versionNow;
    if (before !== undefined && isSame && (before.checking !== null || nowMs() - before.atMs < FRESH_MS))
      return before;
    const entry: Known = {
      text,
      version: versionNow,
      atMs: nowMs(),
      knownMs: isSame ? before!.knownMs : Number.NEGATIVE_INFINITY,
      trusted: before?.text === text && before.trusted,
      checking: null,
    };
    entry.checking = checkProject(root)
      // The approval covers what is on disk, which must be what was asked about.
      .then((isApproved) => isApproved && read(root) === text)
      .catch(() => false)
      .then((isApproved) => {
        entry.trusted = isApproved;
        entry.knownMs = entry.atMs;
        entry.checking = null;
      });
    if (known.size >= MAX_PROJECTS) known.clear();
    known.set(root, entry);
    return entry;
  };

  return {
    isTrusted: (root, text) => lookAt(root, text).trusted,
    prepare: async (root, text) => {
      const { checking, knownMs } = lookAt(root, text);
      if (nowMs() - knownMs >= STALE_MS) await checking;
    },
  };
}
