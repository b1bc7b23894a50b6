import { applyEdits, type Edit } from "./json-edit.ts";
import { type JsonMember, type JsonNode, memberOf, type Span } from "./json-tree.ts";
import { handlersOf, isEffectiveMember, itemsOf, membersOf, toOwnHandler } from "./own-handlers.ts";

/**
 * Removes our handlers whose command starts at one of `starts`, then the containers they leave empty, from
 * the inside out. `emptied` names the containers that were empty before us and stay, with their white space.
 */
export function removeHandlers(
  text: string,
  root: JsonNode,
  starts: ReadonlySet<number>,
  emptied: Readonly<Record<string, string>>,
): string {
  const edits: Edit[] = [];

  function empty(container: JsonNode, inner: string): void {
    edits.push({ start: container.start + 1, end: container.end - 1, text: inner });
  }

  /** Removes some children; returns true if all are to go, which is left to the container. */
  function cutSome(children: readonly Span[], goes: readonly boolean[]): boolean {
    if (!goes.includes(true)) return false;
    if (!goes.includes(false)) return true;
    edits.push(...runsOf(children, goes));
    return false;
  }

  /** Returns true if the container goes too. We never wrote under a key that a later duplicate overrides. */
  function cutAll(container: JsonNode, path: string, isOurs: boolean): boolean {
    const inner = isOurs ? emptied[path] : "";
    if (inner === undefined) return true;
    empty(container, inner);
    return false;
  }

  function cutGroup(event: string, group: JsonNode): boolean {
    const handlers = handlersOf(group);
    const goes = handlers.map((handler) => {
      const own = toOwnHandler(event, group, handler);
      return own !== undefined && starts.has(own.command.start);
    });
    if (!cutSome(handlers, goes)) return false;
    if (membersOf(group).every(({ key }) => key === "matcher" || key === "hooks")) return true;
    empty(memberOf(group, "hooks")!.value, "");
    return false;
  }

  function cutEvent(event: JsonMember, isOurs: boolean): boolean {
    const groups = itemsOf(event.value);
    const goes = groups.map((group) => cutGroup(event.key, group));
    return cutSome(groups, goes) && cutAll(event.value, `hooks.${event.key}`, isOurs);
  }

  function cutHooks(hooks: JsonMember): boolean {
    const events = membersOf(hooks.value);
    const isOurs = isEffectiveMember(root, hooks);
    const goes = events.map((event) => cutEvent(event, isOurs && isEffectiveMember(hooks.value, event)));
    return cutSome(events, goes) && cutAll(hooks.value, "hooks", isOurs);
  }

  const goes = membersOf(root).map((member) => member.key === "hooks" && cutHooks(member));
  if (cutSome(membersOf(root), goes)) empty(root, emptied[""] ?? "");
  return applyEdits(text, edits);
}

/** An appended element goes with the comma before it; only the first one goes with the comma after it. */
function runsOf(children: readonly Span[], goes: readonly boolean[]): Edit[] {
  const edits: Edit[] = [];
  for (let first = 0; first < children.length; first++) {
    if (!goes[first]) continue;
    let last = first;
    while (goes[last + 1]) last++;
    const before = children[first - 1];
    if (before) edits.push({ start: before.end, end: children[last]!.end, text: "" });
    else edits.push({ start: children[first]!.start, end: children[last + 1]!.start, text: "" });
    first = last;
  }
  return edits;
}
