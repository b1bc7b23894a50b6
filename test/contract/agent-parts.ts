import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect } from "vitest";
import { isPlainObject } from "../../src/event/canonical.ts";
import type { Guarantee } from "./agent-guarantees.ts";

/** Guarantees of the smaller parts: status line, HTTP hooks, liveness and driving. */
export const PART_GUARANTEES: readonly Guarantee[] = [
  {
    what: "takes whatever is piped, posted or found in a list of processes, without a throw",
    applies: ({ statusLine, readHttpHook, liveness }) =>
      statusLine !== undefined || readHttpHook !== undefined || liveness?.inbox !== undefined,
    check({ statusLine, readHttpHook, liveness }) {
      const texts = fc.oneof(fc.string(), fc.json());
      const body = fc.dictionary(fc.string(), fc.jsonValue());
      const expectEvent = (text: string, event: string, posted: Record<string, unknown>): void => {
        const report = statusLine?.read(text) ?? null;
        if (report !== null) expect(report.limits).toBeDefined();
        if (readHttpHook) expect(isPlainObject(readHttpHook(event, posted, () => "made-up"))).toBe(true);
        const socket = liveness?.inbox?.socketOf(text) ?? null;
        if (socket !== null) expect(socket).toMatch(/^\//);
        if (liveness?.inbox) expect(JSON.stringify(liveness.inbox.toLine(text))).not.toContain("\n");
      };
      fc.assert(fc.property(texts, fc.string(), body, expectEvent), { numRuns: 300 });
    },
  },
  {
    what: "keeps its own under the user's home, and finds no login in an empty one",
    applies: ({ driving }) => driving !== undefined,
    check({ driving, installer }) {
      const home = mkdtempSync(join(tmpdir(), "hookline-no-login-"));
      try {
        const env = { HOME: home };
        expect(driving!.configDir(env).startsWith(`${home}/`)).toBe(true);
        expect((installer?.mcpFile?.(env) ?? `${home}/`).startsWith(`${home}/`)).toBe(true);
        expect(driving!.findLogin({}, home)).toEqual({ type: "none", billingText: "" });
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    },
  },
];
