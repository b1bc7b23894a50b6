import type { IconName } from "../components/icon.tsx";
import type { CallStatus } from "./entry.ts";

/** The outcome of a call, as a shape. */
export const CALL_SHAPES: Readonly<Record<CallStatus, IconName>> = {
  ok: "check",
  failed: "cross",
  denied: "denied",
  interrupted: "square",
  unfinished: "dash",
  running: "dot",
};
