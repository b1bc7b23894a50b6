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

  /** Removes some of the children. If all must go, returns true and leaves them to the caller. */
  function cutSome(children: readonly Span[], isRemoved: readonly boolean[]): boolean {
    if (!isRemoved.includes(true)) return false;
    if (!isRemoved.includes(false)) return true;
    edits.push(...runsOf(children, isRemoved));
    return false;
  }

  /** Returns true if the container must go, too. We never wrote under a key that a later duplicate overrides. */
  function cutAll(container: JsonNode, path: string, isOurs: boolean): boolean {
    const inner = isOurs ? emptied[path] : "";
    if (inner === undefined) return true;
    empty(container, inner);
    return false;
  }

  function cutGroup(event: string, group: JsonNode): boolean {
    const handlers = handlersOf(group);
    const isRemoved = handlers.map((handler) => {
      const own = toOwnHandler(event, group, handler);
      return own !== undefined && starts.has(own.command.start);
    });
    if (!cutSome(handlers, isRemoved)) return false;
    if (membersOf(group).every(({ key }) => key === "matcher" || key === "hooks")) return true;
    empty(memberOf(group, "hooks")!.value, "");
    return false;
  }

  function cutEvent(event: JsonMember, isOurs: boolean): boolean {
    const groups = itemsOf(event.value);
    const isRemoved = groups.map((group) => cutGroup(event.key, group));
    return cutSome(groups, isRemoved) && cutAll(event.value, `hooks.${event.key}`, isOurs);
  }

  function cutHooks(hooks: JsonMember): boolean {
    const events = membersOf(hooks.value);
    const isOurs = isEffectiveMember(root, hooks);
    const isRemoved = events.map((event) => cutEvent(event, isOurs && isEffectiveMember(hooks.value, event)));
    return cutSome(events, isRemoved) && cutAll(hooks.value, "hooks", isOurs);
  }

  const isRemoved = membersOf(root).map((member) => member.key === "hooks" && cutHooks(member));
  if (cutSome(membersOf(root), isRemoved)) empty(root, emptied[""] ?? "");
  return applyEdits(text, edits);
}

/** An element is removed with the comma before it, the first element with the comma after it. */
function runsOf(children: readonly Span[], isRemoved: readonly boolean[]): Edit[] {
  const edits: Edit[] = [];
  for (let first = 0; first < children.length; first++) {
    if (!isRemoved[first]) continue;
    let last = first;
    while (isRemoved[last + 1]) last++;
    const before = children[first - 1];
    if (before) edits.push({ start: before.end, end: children[last]!.end, text: "" });
    else edits.push({ start: children[first]!.start, end: children[last + 1]!.start, text: "" });
    first = last;
  }
  return edits;
}
