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

interface TrustEntry {
  readonly text: string;
  readonly version: string;
  readonly atMs: number;
  /** When the check that set `trusted` started. */
  checkedMs: number;
  trusted: boolean;
  checking: Promise<void> | null;
}

export function createRulesTrust({
  checkProject,
  read,
  version,
  nowMs = Date.now,
}: RulesTrustOptions): RulesTrust {
  const entries = new Map<string, TrustEntry>();

  const entryFor = (root: string, text: string): TrustEntry => {
    const previous = entries.get(root);
    const versionNow = version();
    const isSame = previous?.text === text && previous.version === versionNow;
    if (
      previous !== undefined &&
      isSame &&
      (previous.checking !== null || nowMs() - previous.atMs < FRESH_MS)
    )
      return previous;
    const entry: TrustEntry = {
      text,
      version: versionNow,
      atMs: nowMs(),
      checkedMs: isSame ? previous!.checkedMs : Number.NEGATIVE_INFINITY,
      trusted: previous?.text === text && previous.trusted,
      checking: null,
    };
    entry.checking = checkProject(root)
      // The approval covers what is on disk, which must be what was asked about.
      .then((isApproved) => isApproved && read(root) === text)
      .catch(() => false)
      .then((isApproved) => {
        entry.trusted = isApproved;
        entry.checkedMs = entry.atMs;
        entry.checking = null;
      });
    if (entries.size >= MAX_PROJECTS) entries.clear();
    entries.set(root, entry);
    return entry;
  };

  return {
    isTrusted: (root, text) => entryFor(root, text).trusted,
    prepare: async (root, text) => {
      const { checking, checkedMs: knownMs } = entryFor(root, text);
      if (nowMs() - knownMs >= STALE_MS) await checking;
    },
  };
}
