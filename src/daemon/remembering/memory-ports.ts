import { memoryMarkEvent } from "../../event/memory-events.ts";
import { askInjections, askItems, askTimeline } from "../../memory/ask-memory.ts";
import type { DigestKeeper } from "../../memory/give-digests.ts";
import type { SearchAnswer, SearchFilters } from "../../memory/memory-contract.ts";
import type { MemoryIndex } from "../../memory/search/memory-index.ts";
import { withoutSecrets } from "../../privacy/redact.ts";
import type { MemoryPorts } from "../../serve/memory-ports.ts";
import type { ProjectAnswer } from "../../serve/memory-queries.ts";
import { closestProject } from "../../shown/did-you-mean.ts";
import type { MemoryRows } from "../../store/memory-rows.ts";
import { answerAs } from "../agents.ts";
import type { Base } from "../base.ts";
import type { Recording } from "../recording.ts";
import { noteSwitch } from "../switches.ts";
import type { Giving } from "./giving.ts";
import type { Making } from "./making.ts";
import type { TurnModel } from "./open-model.ts";

export interface PortParts extends Giving {
  readonly rows: MemoryRows;
  readonly index: MemoryIndex;
  readonly making: Making;
  readonly model: TurnModel;
  /** Every project's digests are looked at again. */
  readonly allTouched: () => void;
}

type Ports = Omit<MemoryPorts, "forget" | "exportLines" | "importLines" | "importClaudeMem">;

const SEARCH_DEADLINE_MS = 3_000;

/** What the routes about memory ask. */
export function openMemoryPorts(base: Base, recording: Recording, parts: PortParts): Ports {
  const { agents, home } = base;
  const { rows, index, making, digests, asks, model, allTouched } = parts;
  const search = createSearch(index, base.nowMs);
  return {
    search: ({ query, filters, limit }) => search(query, filters, limit),
    async timeline({ anchor, query, project, type, ...around }) {
      const filters = { ...(project !== undefined && { project }), ...(type !== undefined && { type }) };
      const best = anchor ?? (await search(query ?? "", filters, 1)).hits[0]?.id;
      return best === undefined ? null : askTimeline(rows, { anchor: best, type, ...around });
    },
    items: (ids) => askItems(rows, ids),
    ...digestPorts(rows, digests),
    flush: making.flush,
    askPrompt: (payload) => answerAs(agents, payload, asks.prompt),
    askFile: (payload) => answerAs(agents, payload, asks.file),
    injections: ({ session, project, limit }) => askInjections(rows, { sessionId: session, project, limit }),
    mark: createMark(base, recording, parts),
    async switchContext({ on, ...what }) {
      const switches = noteSwitch(home, what, on ? "on" : "off");
      allTouched();
      await digests.settle();
      return switches;
    },
    status: async () => ({
      index: await index.status(),
      outbox: await making.waiting(),
      model: await model.status(),
    }),
  };
}

/** An embedder may be anybody's: it is not told secrets, also not those that are asked for. */
function createSearch(index: MemoryIndex, nowMs: () => number) {
  return (words: string, filters: SearchFilters, limit: number): Promise<SearchAnswer> =>
    index.search({
      query: withoutSecrets(words),
      filters,
      limit,
      nowMs: nowMs(),
      deadlineMs: SEARCH_DEADLINE_MS,
    });
}

function digestPorts(rows: MemoryRows, digests: DigestKeeper): Pick<Ports, "inject" | "digest"> {
  const ofProject = async <T>(
    name: string,
    found: (project: string) => Promise<T>,
  ): Promise<T | ProjectAnswer> => {
    const projects = await rows.projects(name);
    const own = projects.includes(name) ? [name] : projects;
    if (own.length > 1) return { type: "ambiguous", choices: own };
    if (own.length > 0) return found(own[0]!);
    return { type: "unknown", nearest: closestProject(name, await rows.projects()) };
  };
  return {
    inject: (name) =>
      ofProject(name, async (project) => {
        const given = await digests.preview(project, "startup");
        return { type: "text" as const, text: given === null || "off" in given ? "" : given.text };
      }),
    digest: (name, kind) =>
      ofProject(name, async (project) => {
        const empty = { project, kind, text: "", tokens: 0, items: [], off: null };
        if (kind === "prompt" || kind === "file") return { type: "preview" as const, preview: empty };
        const given = await digests.preview(project, kind);
        if (given === null) return { type: "preview" as const, preview: empty };
        if ("off" in given) return { type: "preview" as const, preview: { ...empty, off: given.off } };
        return { type: "preview" as const, preview: { ...empty, ...given, items: [...given.items] } };
      }),
  };
}

function createMark({ nowMs }: Base, { record }: Recording, { rows, making }: PortParts): Ports["mark"] {
  return async (itemId, { pinned, edit }) => {
    const [item] = await rows.items([itemId]);
    if (item === undefined) return null;
    const occurredAtIso = new Date(nowMs()).toISOString();
    const base = { sessionId: item.sessionId, projectPath: item.project, occurredAtIso };
    const mark = { ...(pinned !== undefined && { pinned }), ...(edit !== undefined && { edit }) };
    await record([memoryMarkEvent(base, itemId, mark)], { until: "store" });
    await making.drain();
    return (await askItems(rows, [itemId]))[0] ?? null;
  };
}
