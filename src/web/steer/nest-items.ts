import type { ChatItem } from "./chat-items.ts";

/** What is done within a call, by the call. */
export type Children = ReadonlyMap<string, readonly ChatItem[]>;

/** What subagents do stands under the call that began them. */
export function nestItems(items: readonly ChatItem[]): {
  readonly top: readonly ChatItem[];
  readonly children: Children;
} {
  const calls = new Set(items.filter(({ type }) => type === "call").map(({ key }) => key));
  const top: ChatItem[] = [];
  const children = new Map<string, ChatItem[]>();
  for (const item of items) {
    const parent = item.type === "call" ? item.parent : item.type === "text" ? item.envelope.parent : null;
    if (parent === null || !calls.has(parent)) top.push(item);
    else children.set(parent, [...(children.get(parent) ?? []), item]);
  }
  return { top, children };
}
