import type { ChatItem } from "./chat-items.ts";

/** The items within a call, by call. */
export type ItemChildren = ReadonlyMap<string, readonly ChatItem[]>;

/** Subagents' items are under the call that started them. */
export function nestItems(items: readonly ChatItem[]): {
  readonly top: readonly ChatItem[];
  readonly children: ItemChildren;
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
