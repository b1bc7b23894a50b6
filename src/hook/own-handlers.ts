import { kindOfCommand } from "./commands.ts";
import { type JsonMember, type JsonNode, type JsonScalar, memberOf } from "./json-tree.ts";

/** One of our handlers in a settings file, of any version. */
export interface OwnHandler {
  readonly event: string;
  readonly kind: string;
  readonly matcher: string | undefined;
  readonly command: JsonScalar & { readonly value: string };
  /** False under a key that a later duplicate overrides. */
  readonly isEffective: boolean;
}

export function findOwnHandlers(root: JsonNode): OwnHandler[] {
  return membersOf(root)
    .filter(({ key }) => key === "hooks")
    .flatMap((hooks) =>
      membersOf(hooks.value).flatMap((event) => {
        const isEffective = isEffectiveMember(root, hooks) && isEffectiveMember(hooks.value, event);
        return itemsOf(event.value).flatMap((group) =>
          handlersOf(group).flatMap((handler) => {
            const own = toOwnHandler(event.key, group, handler);
            return own ? [{ ...own, isEffective }] : [];
          }),
        );
      }),
    );
}

export function toOwnHandler(
  event: string,
  group: JsonNode,
  handler: JsonNode,
): Omit<OwnHandler, "isEffective"> | undefined {
  const command = memberOf(handler, "command")?.value;
  if (command?.type !== "scalar" || typeof command.value !== "string") return undefined;
  const kind = kindOfCommand(command.value);
  if (kind === undefined) return undefined;
  const matcher = memberOf(group, "matcher")?.value;
  return {
    event,
    kind,
    matcher: matcher?.type === "scalar" && typeof matcher.value === "string" ? matcher.value : undefined,
    command: { ...command, value: command.value },
  };
}

export function handlersOf(group: JsonNode): readonly JsonNode[] {
  return itemsOf(memberOf(group, "hooks")?.value);
}

export function itemsOf(node: JsonNode | undefined): readonly JsonNode[] {
  return node?.type === "array" ? node.items : [];
}

export function membersOf(node: JsonNode): readonly JsonMember[] {
  return node.type === "object" ? node.members : [];
}

export function isEffectiveMember(node: JsonNode, member: JsonMember): boolean {
  return memberOf(node, member.key) === member;
}
