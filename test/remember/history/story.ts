/** One developer's project on disk. */
export interface HistoryProject {
  readonly name: string;
  readonly path: string;
  readonly lang: "en" | "ko";
  /** The templates of its ordinary turns: ordinary/turns-….txt. */
  readonly work: "en" | "ko" | "infra";
}

const project = (
  name: string,
  lang: HistoryProject["lang"] = "en",
  work: HistoryProject["work"] = lang,
): HistoryProject => ({ name, path: `/home/dev/${name}`, lang, work });

export const PROJECTS: readonly HistoryProject[] = [
  project("tindra-shop"),
  project("riverbed"),
  project("ferry"),
  project("quill"),
  project("platform-infra", "en", "infra"),
  project("baedal-api", "ko"),
  project("baedal-app", "ko"),
];

export const TOOLS = ["Bash", "Read", "Write", "Edit", "Grep", "Glob"] as const;

/** One tool use. `key` names it for the questions. */
export interface StoryCall {
  readonly key?: string | undefined;
  /** The agent's text before it. */
  readonly words?: string | undefined;
  readonly tool: (typeof TOOLS)[number];
  /** The command, the file, or the pattern with its folder. */
  readonly target: string;
  readonly output: readonly string[];
  readonly removed: readonly string[];
  readonly added: readonly string[];
  /** For a failed command. */
  readonly exitCode?: number | undefined;
}

export interface StoryTurn {
  readonly key?: string | undefined;
  readonly prompt: string;
  readonly calls: readonly StoryCall[];
  /** The agent's last message. */
  readonly end: string;
}

export interface StorySession {
  readonly key: string;
  readonly project: HistoryProject;
  readonly startMs: number;
  readonly branch: string;
  readonly turns: readonly StoryTurn[];
}
