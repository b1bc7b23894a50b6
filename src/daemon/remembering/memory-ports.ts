import { memoryMarkEvent } from "../../event/memory-events.ts";
import type { DigestStore } from "../../memory/digest-store.ts";
import type { SearchAnswer, SearchFilters } from "../../memory/memory-contract.ts";
import { readInjections, readItems, readTimeline } from "../../memory/read-memory.ts";
import type { MemoryIndex } from "../../memory/search/memory-index.ts";
import { withoutSecrets } from "../../privacy/redact.ts";
import type { MemoryPorts } from "../../serve/memory-ports.ts";
import type { ProjectAnswer } from "../../serve/memory-queries.ts";
import { closestProject } from "../../shown/did-you-mean.ts";
import type { MemoryRows } from "../../store/memory-rows.ts";
import type { Base } from "../base.ts";
import { answerAs } from "../per-agent.ts";
import type { Recording } from "../recording.ts";
import { writeSwitch } from "../switches.ts";
import type { Injection } from "./injection.ts";
import type { MemoryPipeline } from "./memory-pipeline.ts";
import type { TurnModel } from "./open-model.ts";

export interface MemoryPortParts extends Injection {
  readonly rows: MemoryRows;
  readonly index: MemoryIndex;
  readonly pipeline: MemoryPipeline;
  readonly model: TurnModel;
  /** Checks every project's digests again. */
  readonly refreshAllDigests: () => void;
}

type Ports = Omit<MemoryPorts, "forget" | "exportLines" | "importLines" | "importClaudeMem">;

const SEARCH_DEADLINE_MS = 3_000;

/** Ports for the routes about memory. */
export function createMemoryPorts(base: Base, recording: Recording, parts: MemoryPortParts): Ports {
  const { agents, home } = base;
  const { rows, index, pipeline, digests, injector, model, refreshAllDigests } = parts;
  const search = createSearch(index, base.nowMs);
  return {
    search: ({ query, filters, limit }) => search(query, filters, limit),
    async timeline({ anchor, query, project, type, ...around }) {
      const filters = { ...(project !== undefined && { project }), ...(type !== undefined && { type }) };
      const anchorId = anchor ?? (await search(query ?? "", filters, 1)).hits[0]?.id;
      return anchorId === undefined ? null : readTimeline(rows, { anchor: anchorId, type, ...around });
    },
    items: (ids) => readItems(rows, ids),
    ...digestPorts(rows, digests),
    flush: pipeline.flush,
    askPrompt: (payload) => answerAs(agents, payload, injector.forPrompt),
    askFile: (payload) => answerAs(agents, payload, injector.forFile),
    injections: ({ session, project, limit }) => readInjections(rows, { sessionId: session, project, limit }),
    mark: createMark(base, recording, parts),
    async switchContext({ on, ...target }) {
      const switches = writeSwitch(home, target, on ? "on" : "off");
      refreshAllDigests();
      await digests.settle();
      return switches;
    },
    status: async () => ({
      index: await index.status(),
      outbox: await pipeline.waiting(),
      model: await model.status(),
    }),
  };
}

/** An embedder may be a third party's: it never receives secrets, not even from a search query. */
function createSearch(index: MemoryIndex, nowMs: () => number) {
  return (query: string, filters: SearchFilters, limit: number): Promise<SearchAnswer> =>
    index.search({
      query: withoutSecrets(query),
      filters,
      limit,
      nowMs: nowMs(),
      deadlineMs: SEARCH_DEADLINE_MS,
    });
}

function digestPorts(rows: MemoryRows, digests: DigestStore): Pick<Ports, "inject" | "digest"> {
  const forProject = async <T>(
    name: string,
    action: (project: string) => Promise<T>,
  ): Promise<T | ProjectAnswer> => {
    const projects = await rows.projects(name);
    const matches = projects.includes(name) ? [name] : projects;
    if (matches.length > 1) return { type: "ambiguous", choices: matches };
    if (matches.length > 0) return action(matches[0]!);
    return { type: "unknown", nearest: closestProject(name, await rows.projects()) };
  };
  return {
    inject: (name) =>
      forProject(name, async (project) => {
        const preview = await digests.preview(project, "startup");
        return { type: "text" as const, text: preview === null || "off" in preview ? "" : preview.text };
      }),
    digest: (name, kind) =>
      forProject(name, async (project) => {
        const empty = { project, kind, text: "", tokens: 0, items: [], off: null };
        if (kind === "prompt" || kind === "file") return { type: "preview" as const, preview: empty };
        const preview = await digests.preview(project, kind);
        if (preview === null) return { type: "preview" as const, preview: empty };
        if ("off" in preview) return { type: "preview" as const, preview: { ...empty, off: preview.off } };
        return { type: "preview" as const, preview: { ...empty, ...preview, items: [...preview.items] } };
      }),
  };
}

function createMark(
  { nowMs }: Base,
  { record }: Recording,
  { rows, pipeline }: MemoryPortParts,
): Ports["mark"] {
  return async (itemId, { pinned, edit }) => {
    const [item] = await rows.items([itemId]);
    if (item === undefined) return null;
    const occurredAtIso = new Date(nowMs()).toISOString();
    const base = { sessionId: item.sessionId, projectPath: item.project, occurredAtIso };
    const mark = { ...(pinned !== undefined && { pinned }), ...(edit !== undefined && { edit }) };
    await record([memoryMarkEvent(base, itemId, mark)], { until: "store" });
    await pipeline.drain();
    return (await readItems(rows, [itemId]))[0] ?? null;
  };
}
