import type { IconName } from "../parts/icon.tsx";
import type { CallStatus } from "./pair-calls.ts";

/** How a call went, as a shape. */
export const CALL_SHAPES: Readonly<Record<CallStatus, IconName>> = {
  ok: "check",
  failed: "cross",
  denied: "denied",
  interrupted: "square",
  unfinished: "dash",
  running: "dot",
};
