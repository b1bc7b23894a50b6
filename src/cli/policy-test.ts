import { z } from "zod";
import { AppError } from "../app-error.ts";
import { createProjectOf } from "../capture/project-of.ts";
import type { PolicyFor } from "../control/policy-files.ts";
import { decide } from "../policy/decide.ts";
import type { PolicyRequest, Verdict, World } from "../policy/request.ts";
import { oneLine } from "../shown/plain-text.ts";
import { plural } from "./amounts.ts";
import { print } from "./output.ts";
import type { Colour, Paint } from "./paint.ts";
import { callText } from "./policy-text.ts";

/** One line of stdin. A hook's input has the same field names, and more. */
const RequestLine = z.looseObject({
  tool_name: z.string().min(1),
  tool_input: z.unknown().default({}),
  mode: z.string().optional(),
  permission_mode: z.string().optional(),
  cwd: z.string().startsWith("/", "expected an absolute path").optional(),
  agent_type: z.string().nullish(),
});

export interface TestOptions {
  readonly policyFor: PolicyFor;
  readonly world: World;
  /** For a line without a folder. */
  readonly cwd: string;
  readonly json: boolean;
  readonly paint: Paint;
}

/** One verdict per line as it arrives, and their number. An invalid line gets an error; the rest goes on. */
export async function testRequests(
  input: AsyncIterable<Buffer | string>,
  options: TestOptions,
): Promise<number> {
  const projectOf = createProjectOf();
  let number = 0;
  let invalidCount = 0;
  let judged = 0;
  for await (const line of lines(input)) {
    number++;
    if (line.trim() === "") continue;
    const parsedLine = readRequest(line, options.cwd);
    if (parsedLine.type === "request") {
      const request = { ...parsedLine.request, projectPath: projectOf(parsedLine.request.cwd) };
      const verdict = decide(await options.policyFor(request.projectPath), request, options.world);
      print(options.json ? verdictJson(verdict) : verdictLine(request, verdict, options.paint));
      judged++;
      continue;
    }
    invalidCount++;
    const error = { code: "invalid_request", message: parsedLine.message, line: number };
    print(
      options.json
        ? JSON.stringify({ error })
        : `${options.paint("red", "error")}  line ${number}: ${oneLine(parsedLine.message)}`,
    );
  }
  if (invalidCount > 0)
    throw new AppError("invalid_request", `${plural(invalidCount, "line")} could not be judged.`);
  return judged;
}

function readRequest(
  line: string,
  cwd: string,
): { type: "request"; request: PolicyRequest } | { type: "invalid"; message: string } {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    return { type: "invalid", message: `not valid JSON: ${(error as Error).message}` };
  }
  const parsed = RequestLine.safeParse(value);
  if (!parsed.success) {
    const issues = parsed.error.issues.map(({ path, message }) =>
      [path.join("."), message.replace(/^Invalid input: /u, "")].filter((part) => part !== "").join(": "),
    );
    return { type: "invalid", message: issues.join("; ") };
  }
  const { tool_name: toolName, tool_input: toolInput, mode, permission_mode, agent_type } = parsed.data;
  const request = {
    toolName,
    toolInput,
    mode: mode ?? permission_mode ?? "default",
    cwd: parsed.data.cwd ?? cwd,
    agentType: agent_type ?? null,
  };
  return { type: "request", request };
}

function verdictJson({ verdict, rule, reason, updatedInput }: Verdict): string {
  return JSON.stringify({ verdict, rule, reason, ...(updatedInput !== undefined && { updatedInput }) });
}

export const VERDICT_COLOURS: Readonly<Record<Verdict["verdict"], Colour>> = {
  allow: "green",
  ask: "yellow",
  deny: "red",
};

function verdictLine(request: PolicyRequest, judged: Verdict, paint: Paint): string {
  const { verdict, rule, reason, updatedInput } = judged;
  const changed = updatedInput === undefined ? "" : ` → ${callText(request.toolName, updatedInput)}`;
  const call = `${callText(request.toolName, request.toolInput)}${changed}`;
  return `${paint(VERDICT_COLOURS[verdict], verdict.padEnd(5))}  ${call}  ${paint("dim", `(${rule}) ${oneLine(reason)}`)}`;
}

/** LF only: U+2028 and similar characters are legal inside JSON. */
async function* lines(input: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of input) {
    rest += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    const parts = rest.split("\n");
    rest = parts.pop()!;
    yield* parts;
  }
  if (rest !== "") yield rest;
}
