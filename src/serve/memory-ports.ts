import type { ContextSwitches } from "../memory/inject/injection-rules.ts";
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

/** What the memory routes need. A `project` is a folder's path, or its last parts. */
export interface MemoryPorts {
  search(query: SearchQuery): Promise<SearchAnswer>;
  /** Null when there is no such anchor. */
  timeline(query: TimelineQuery): Promise<Timeline | null>;
  /** The items that exist, in the requested order. */
  items(ids: readonly number[]): Promise<ItemDetail[]>;
  /** What a session of that project gets injected at its start, as Markdown in our tag; may be empty. */
  inject(project: string): Promise<{ readonly type: "text"; readonly text: string } | ProjectAnswer>;
  /** Takes a hook's payload; returns what the hook prints, or null, within the hook's deadline. */
  askPrompt(payload: unknown): Promise<object | null>;
  askFile(payload: unknown): Promise<object | null>;
  /** Newest first. */
  injections(query: InjectionsQuery): Promise<Injection[]>;
  digest(
    project: string,
    kind: InjectionKind,
  ): Promise<{ readonly type: "preview"; readonly preview: DigestPreview } | ProjectAnswer>;
  /** Null when there is no such item. */
  mark(itemId: number, mark: MarkRequest): Promise<ItemDetail | null>;
  forget(request: ForgetRequest): Promise<ForgetResult>;
  /** One JSON object per line, without the line break. */
  exportLines(query: { readonly project?: string | undefined }): AsyncIterable<string>;
  importLines(lines: AsyncIterable<string>): Promise<MemoryImportResult>;
  importClaudeMem(path: string): Promise<ClaudeMemResult>;
  switchContext(change: ContextSwitch): Promise<ContextSwitches>;
  /** Resolves once everything recorded has become items and digests. */
  flush(): Promise<void>;
  /** The memory section of `hookline status`. */
  status(): Promise<MemoryStatus>;
}
