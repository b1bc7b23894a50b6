import { hash } from "node:crypto";

/** Our own random value. Changing it would give every recorded fact a second id. */
const NAMESPACE = Buffer.from("6f0b6e0c8d5e4b7e9a3f5d2c7b1e4a90", "hex");
const NAMESPACE_BYTES = NAMESPACE.length;

/** UUIDv5 of a fact that several sources can report: the same key always gives the same id. */
export function factId(kind: string, ...key: readonly string[]): string {
  return uuidV5(["fact", kind, ...key].join("\n"));
}

/** A tool call and its agent. */
export interface CallIdentity {
  readonly provider: string;
  /** The agent of the call, in events that we write about it. */
  readonly agent?: unknown;
  readonly sessionId: string;
  readonly toolUseId: string;
}

/**
 * The identity of a call. Claude's ids are globally unique, and shared by forks on purpose; any other id is
 * unique only within its session.
 */
export function callKey({ provider, agent, sessionId, toolUseId }: CallIdentity): string {
  // Our own events about a call (verdicts, envelopes) concern Claude's, unless they name another agent.
  const maker = provider !== "hookline" ? provider : typeof agent === "string" ? agent : "claude";
  const isUnique = maker === "claude" && toolUseId.startsWith("toolu_");
  return isUnique ? toolUseId : [maker, sessionId, toolUseId].join("\n");
}

/** The fact that a call started or ended. */
export function callFactId(call: CallIdentity, phase: "start" | "end"): string {
  return factId("tool", callKey(call), phase);
}

/** The row of a call among the observations. */
export function callRowId(call: CallIdentity): number {
  return rowId("observation", callKey(call));
}

/** UUIDv5 of one delivery: a spool file read twice is one event, two real events never are. */
export function deliveryId(delivery: DeliveryIdentity, part: string): string {
  const { sessionId, eventName, name, timeNs, contentHash } = delivery;
  return uuidV5(["delivery", sessionId, eventName, name, timeNs, contentHash(), part].join("\n"));
}

export interface DeliveryIdentity {
  readonly sessionId: string;
  readonly eventName: string;
  readonly name: string;
  readonly timeNs: string;
  readonly contentHash: () => string;
}

/**
 * The integer key of a row whose fact has a text key. A hash and not a counter, so that it does not depend on
 * which source came first (docs/decisions/0001-integer-ids.md). 53 bits: exact in JSON and in JavaScript.
 */
export function rowId(kind: string, key: string): number {
  const digest = hash("sha256", `${kind}\n${key}`, "buffer");
  return digest.readUInt32BE(0) * 2 ** 21 + (digest.readUInt32BE(4) >>> 11);
}

export function contentHash(content: Uint8Array | string): string {
  return hash("sha256", content, "hex").slice(0, 32);
}

function uuidV5(name: string): string {
  const input = Buffer.allocUnsafe(NAMESPACE_BYTES + Buffer.byteLength(name));
  NAMESPACE.copy(input);
  input.write(name, NAMESPACE_BYTES);
  const hex = hash("sha1", input, "hex");
  // The version replaces the 13th digit, the variant two bits of the 17th.
  const variant = "89ab"[Number.parseInt(hex[16]!, 16) & 3];
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
