import type { ContextSwitches } from "../memory/inject/rules.ts";
import type {
  Injection,
  InjectionKind,
  ItemDetail,
  SearchAnswer,
  Timeline,
} from "../memory/memory-contract.ts";
import type {
  ClaudeMemResult,
  ContextSwitch,
  DigestPreview,
  ForgetRequest,
  ForgetResult,
  InjectionsQuery,
  MarkRequest,
  MemoryImportResult,
  MemoryStatus,
  ProjectAnswer,
  SearchQuery,
  TimelineQuery,
} from "./memory-queries.ts";

/** What the routes about memory may ask. A `project` is a folder's path, or the end of it. */
export interface MemoryPorts {
  search(query: SearchQuery): Promise<SearchAnswer>;
  /** Null when there is no such anchor. */
  timeline(query: TimelineQuery): Promise<Timeline | null>;
  /** Those that are there, in the order asked for. */
  items(ids: readonly number[]): ItemDetail[];
  /** What a session of that project is given at its start, as Markdown in our tag; empty when there is nothing. */
  inject(project: string): Promise<{ readonly type: "text"; readonly text: string } | ProjectAnswer>;
  /** A hook's payload in, what the hook prints out; null: nothing. Within the hook's deadline. */
  askPrompt(payload: unknown): Promise<object | null>;
  askFile(payload: unknown): Promise<object | null>;
  /** The newest first. */
  injections(query: InjectionsQuery): Promise<Injection[]>;
  digest(
    project: string,
    kind: InjectionKind,
  ): Promise<{ readonly type: "preview"; readonly preview: DigestPreview } | ProjectAnswer>;
  /** Null when there is no such item. */
  mark(itemId: number, mark: MarkRequest): Promise<ItemDetail | null>;
  forget(request: ForgetRequest): Promise<ForgetResult>;
  /** One JSON object a line, without the line break. */
  exportLines(query: { readonly project?: string | undefined }): AsyncIterable<string>;
  importLines(lines: AsyncIterable<string>): Promise<MemoryImportResult>;
  importClaudeMem(path: string): Promise<ClaudeMemResult>;
  switchContext(change: ContextSwitch): Promise<ContextSwitches>;
  /** Until all that is recorded is made into items and digests. */
  flush(): Promise<void>;
  /** Memory's part of `hookline status`. */
  status(): Promise<MemoryStatus>;
}
