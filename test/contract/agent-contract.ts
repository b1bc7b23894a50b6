import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "vitest";
import type { AgentAdapter } from "../../src/agents/agent.ts";
import { GUARANTEES } from "./agent-guarantees.ts";

/** The fixtures that an adapter is checked with. */
export interface AgentFixtures {
  /** Hook payloads that this agent sent. */
  readonly payloads: readonly (readonly [name: string, payload: unknown])[];
  /** Builds a payload with a prompt, and one with a tool's result; null where the agent has no such payload. */
  readonly prompt: ((text: string) => unknown) | null;
  readonly output: ((text: string) => unknown) | null;
  /** Folders with the agent's transcripts. */
  readonly transcriptRoots?: readonly string[];
  /** Models that it runs and has prices for. */
  readonly models?: readonly string[];
  /** Files of its process registry. */
  readonly processes?: readonly (readonly [fileName: string, text: string])[];
}

/** Checks every guarantee that stages rely on. */
export function agentContract(name: string, adapter: AgentAdapter, fixtures: AgentFixtures): void {
  describe(`the agent ${name}`, () => {
    for (const { what, applies, check } of GUARANTEES)
      if (applies(adapter, fixtures)) it(what, () => check(adapter, fixtures));
  });
}

const FIXTURES = join(import.meta.dirname, "../fixtures");

/** Every captured payload under a folder of fixtures, from single files and from whole runs. */
export function capturedPayloads(folder: string): [name: string, payload: Record<string, unknown>][] {
  const root = join(FIXTURES, folder);
  const names = readdirSync(root, { recursive: true, encoding: "utf8" }).sort();
  const single = names
    .filter((name) => name.endsWith(".json") && !/(^|\/)_/.test(name))
    .map((name): [string, Record<string, unknown>] => [
      name,
      JSON.parse(readFileSync(join(root, name), "utf8")),
    ]);
  const runs = names
    .filter((name) => name.endsWith("hooks.jsonl"))
    .flatMap((name) =>
      readFileSync(join(root, name), "utf8")
        .trimEnd()
        .split("\n")
        .map((line, index): [string, Record<string, unknown>] => [
          `${name}:${index + 1}`,
          (JSON.parse(line) as { payload: Record<string, unknown> }).payload,
        ]),
    );
  return [...single, ...runs];
}

export const fixturePath = (...parts: readonly string[]): string => join(FIXTURES, ...parts);
