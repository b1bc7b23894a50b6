import { changeSwitches } from "../memory/inject/injection-rules.ts";
import { estimateTokens, itemText } from "../memory/item-text.ts";
import type { Injection, ItemDetail, SearchHit } from "../memory/memory-contract.ts";
import type { MemoryItem } from "../memory/memory-item.ts";
import { ContextSwitches, type ForgetRequest } from "./contract.ts";
import type { MemoryPorts } from "./memory-ports.ts";

/** Memory as a list of items, for tests of its clients. Searches by substring. */
export function createListMemory(
  initialItems: readonly MemoryItem[],
  injections: readonly Injection[] = [],
): MemoryPorts {
  let items = [...initialItems];
  let switches = ContextSwitches.parse({});
  const itemsByTime = () => items.toSorted((a, b) => a.createdAtIso.localeCompare(b.createdAtIso));
  const foldersOf = (name: string): string[] => [
    ...new Set(
      items.flatMap(({ project }) => (project !== null && isPathSuffix(project, name) ? [project] : [])),
    ),
  ];

  const ports: MemoryPorts = {
    async search({ query, filters, limit }) {
      const words = query.toLowerCase().split(/\s+/).filter(Boolean);
      const hits = items
        .filter((item) => words.every((word) => itemText(item).toLowerCase().includes(word)))
        .filter((item) => filters.project === undefined || isPathSuffix(item.project ?? "", filters.project))
        .filter((item) => filters.session === undefined || item.sessionId === filters.session)
        .filter((item) => filters.type === undefined || item.content.type === filters.type)
        .filter((item) => filters.success === undefined || item.success === filters.success)
        .filter((item) => filters.sinceIso === undefined || item.createdAtIso >= filters.sinceIso)
        .slice(0, limit)
        .map((item) => toHit(item, words));
      return { hits, mode: "full_text", note: "there is no embedder", tookMs: 1 };
    },
    async timeline({ anchor, query, before, after, within, type }) {
      const id = anchor ?? (await ports.search({ query: query!, filters: {}, limit: 1 })).hits[0]?.id;
      const anchorItem = items.find((item) => item.id === id);
      if (anchorItem === undefined) return null;
      const neighbours = itemsByTime().filter(
        (item) =>
          (type === undefined || item.content.type === type || item === anchorItem) &&
          item[within === "session" ? "sessionId" : "project"] ===
            anchorItem[within === "session" ? "sessionId" : "project"],
      );
      const index = neighbours.indexOf(anchorItem);
      const entries = neighbours.slice(Math.max(0, index - before), index + after + 1).map((item) => ({
        ...item,
        type: item.content.type,
        title: item.content.title,
        file: item.content.filesModified[0] ?? item.content.filesRead[0] ?? null,
        tokens: estimateTokens(itemText(item)),
        isAnchor: item === anchorItem,
      }));
      return { anchor: anchorItem.id, entries };
    },
    items: async (ids) => ids.flatMap((id) => items.filter((item) => item.id === id).map(toDetail)),
    async inject(project) {
      const [first, ...others] = foldersOf(project);
      if (first === undefined) return { type: "unknown", nearest: "acme-shop" };
      if (others.length > 0) return { type: "ambiguous", choices: [first, ...others] };
      return { type: "text", text: `<hookline-context>\n${first}\n</hookline-context>` };
    },
    async askPrompt(payload) {
      const { prompt } = payload as { prompt?: string };
      return prompt === "nothing" ? null : { hookSpecificOutput: { hookEventName: "UserPromptSubmit" } };
    },
    askFile: async () => null,
    injections: async ({ session, limit }) =>
      injections.filter(({ sessionId }) => session === undefined || sessionId === session).slice(0, limit),
    async digest(project, kind) {
      const [first, ...others] = foldersOf(project);
      if (first === undefined) return { type: "unknown", nearest: "acme-shop" };
      if (others.length > 0) return { type: "ambiguous", choices: [first, ...others] };
      const chosen = items.filter((item) => item.project === first);
      const text = chosen.map(({ content }) => `- ${content.title}`).join("\n");
      const preview = {
        project: first,
        kind,
        text,
        tokens: estimateTokens(text),
        items: chosen.map(({ id, content }) => ({ id, title: content.title, why: "recent", tokens: 5 })),
        off: switches.projects.includes(first) ? "the project is switched off" : null,
      };
      return { type: "preview", preview };
    },
    async mark(itemId, { pinned, edit }) {
      items = items.map((item) =>
        item.id !== itemId
          ? item
          : {
              ...item,
              pinned: pinned ?? item.pinned,
              content: { ...item.content, ...JSON.parse(JSON.stringify(edit ?? {})) },
            },
      );
      return (await ports.items([itemId]))[0] ?? null;
    },
    async forget(request) {
      const forgotten = items.filter((item) => matchesRequest(item, request));
      if (request.dryRun !== true) items = items.filter((item) => !forgotten.includes(item));
      return {
        facts: forgotten.length,
        sessions: 0,
        items: forgotten.length,
        dryRun: request.dryRun ?? false,
      };
    },
    async *exportLines({ project }) {
      for (const item of items)
        if (project === undefined || isPathSuffix(item.project ?? "", project)) yield JSON.stringify(item);
    },
    async importLines(lines) {
      let imported = 0;
      for await (const line of lines) {
        items.push(JSON.parse(line) as MemoryItem);
        imported++;
      }
      return { items: imported, skipped: 0, badLines: 0, bad: [] };
    },
    importClaudeMem: async () => ({ sessions: 1, prompts: 2, observations: 3, summaries: 4, skipped: 0 }),
    async switchContext(change) {
      switches = changeSwitches(switches, change, change.on ? "on" : "off");
      return switches;
    },
    flush: async () => undefined,
    status: async () => ({
      index: {
        items: items.length,
        waiting: 0,
        embedded: 0,
        unembedded: 0,
        embedder: null,
        note: null,
        bytes: 0,
      },
      outbox: 0,
      model: null,
    }),
  };
  return ports;
}

/** An item with defaults for tests. */
export function itemOf(
  id: number,
  fields: Partial<MemoryItem> & { readonly title?: string } = {},
): MemoryItem {
  const { title = `Item ${id}`, ...rest } = fields;
  return {
    id,
    kind: "observation",
    sessionId: "s1",
    project: "/home/dev/acme-shop",
    promptNumber: 1,
    toolName: "Bash",
    branch: "main",
    success: true,
    createdAtIso: new Date(Date.UTC(2026, 10, 14, 9, id % 60)).toISOString(),
    content: {
      type: "command",
      title,
      facts: [],
      narrative: null,
      filesRead: [],
      filesModified: [],
      concepts: [],
    },
    summary: null,
    madeBy: "rules",
    pinned: false,
    ...rest,
  };
}

function toHit(item: MemoryItem, words: readonly string[]): SearchHit {
  const { content, summary: _summary, madeBy: _madeBy, pinned, ...base } = item;
  const snippet = content.narrative ?? content.title;
  const index = snippet.toLowerCase().indexOf(words[0] ?? "");
  return {
    ...base,
    type: content.type,
    title: content.title,
    snippet,
    marks: index < 0 || words.length === 0 ? [] : [[index, index + words[0]!.length]],
    score: 1,
    outcome: base.success === false ? "failed" : null,
    why: { fullText: 1, vector: null, recency: 0, sameFile: false, pinned },
    files: [...content.filesModified, ...content.filesRead],
    tokens: estimateTokens(itemText(item)),
  };
}

function toDetail(item: MemoryItem): ItemDetail {
  const text = itemText(item);
  const tool = item.kind === "observation" ? { input: { command: "npm test" }, output: "12 passed" } : null;
  return { ...item, text, tokens: estimateTokens(text), tool };
}

function matchesRequest(item: MemoryItem, { ids, session, project, match }: ForgetRequest): boolean {
  if (ids !== undefined && !ids.includes(item.id)) return false;
  if (session !== undefined && item.sessionId !== session) return false;
  if (project !== undefined && !isPathSuffix(item.project ?? "", project)) return false;
  return match === undefined || itemText(item).includes(match);
}

function isPathSuffix(path: string, end: string): boolean {
  return path === end || path.endsWith(`/${end.replace(/^\/+/, "")}`);
}
