import { join } from "node:path";
import type { LivenessSource } from "../liveness-source.ts";
import { configDir } from "./config-dir.ts";
import { locateTranscript } from "./locate-transcript.ts";
import {
  configDirOf,
  expectedTranscriptPath,
  inboxSocket,
  parseRegistryEntry,
  pidOfRegistryFile,
} from "./session-registry.ts";

/** `<config folder>/sessions/<pid>.json`. */
export const liveness = {
  configDirs: (env, transcriptPaths) => [
    ...new Set([configDir(env), ...[...transcriptPaths].flatMap((path) => configDirOf(path) ?? [])]),
  ],
  folder: (dir) => join(dir, "sessions"),
  pidOf: pidOfRegistryFile,
  parse: parseRegistryEntry,
  isAttended: ({ entrypoint }) => (entrypoint === null ? null : entrypoint === "cli"),
  locateTranscript: (dir, { cwd, sessionId }) =>
    locateTranscript(dir, sessionId, expectedTranscriptPath(dir, cwd, sessionId)),
  inbox: {
    socketOf: inboxSocket,
    // `now` would interrupt.
    toLine: (content) => ({ type: "user", message: { role: "user", content }, priority: "next" }),
    requiresApproval: (mode) => mode === "bypassPermissions",
  },
} as const satisfies LivenessSource;
