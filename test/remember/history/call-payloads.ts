import { join } from "node:path";
import type { StoryCall } from "./story.ts";

type Json = Record<string, unknown>;

export interface CallPayload {
  readonly input: Json;
  /** The structured result of a successful call. */
  readonly response: Json;
  /** The text shown to the model. */
  readonly shown: string;
  /** The text of a failure. */
  readonly error: string | undefined;
}

/** What Claude Code reports about a call: its input and its result, in each tool's shape. */
export function callPayload(call: StoryCall, root: string): CallPayload {
  const output = call.output.join("\n");
  const { input, response, shown } = SHAPES[call.tool](call, root, output);
  const error = call.exitCode === undefined ? undefined : `Exit code ${call.exitCode}\n${output}`;
  return { input, response, shown: error ?? shown, error };
}

type Shape = (call: StoryCall, root: string, output: string) => Omit<CallPayload, "error">;

const SHAPES: Readonly<Record<StoryCall["tool"], Shape>> = {
  Bash: ({ target }, _root, output) => ({
    input: { command: target, description: describe(target) },
    response: {
      stdout: output,
      stderr: "",
      interrupted: false,
      isImage: false,
      noOutputExpected: output === "",
    },
    shown: output === "" ? "(Bash completed with no output)" : output,
  }),
  Read: ({ target, output }, root, content) => {
    const [file, from] = place(target);
    const startLine = from ?? 1;
    const filePath = join(root, file);
    const totalLines = startLine + output.length + (from === undefined ? 0 : 40);
    return {
      input: { file_path: filePath, ...(from !== undefined && { offset: from, limit: output.length }) },
      response: {
        type: "text",
        file: { filePath, content: `${content}\n`, numLines: output.length, startLine, totalLines },
      },
      shown: output.map((line, index) => `${startLine + index}\t${line}`).join("\n"),
    };
  },
  Write: ({ target }, root, content) => {
    const filePath = join(root, target);
    const body = `${content}\n`;
    return {
      input: { file_path: filePath, content: body },
      response: {
        type: "create",
        filePath,
        content: body,
        structuredPatch: [],
        originalFile: null,
        userModified: false,
      },
      shown: `File created successfully at: ${filePath}`,
    };
  },
  Edit: ({ target, removed, added }, root) => {
    const filePath = join(root, target);
    const [oldString, newString] = [removed.join("\n"), added.join("\n")];
    const lines = [...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`)];
    const [oldLines, newLines] = [removed.length, added.length];
    return {
      input: { file_path: filePath, old_string: oldString, new_string: newString, replace_all: false },
      response: {
        filePath,
        oldString,
        newString,
        originalFile: `${oldString}\n`,
        structuredPatch: [{ oldStart: 20, oldLines, newStart: 20, newLines, lines }],
        userModified: false,
        replaceAll: false,
      },
      shown: `The file ${filePath} has been updated successfully.`,
    };
  },
  Grep: ({ target, output }, _root, content) => {
    const [pattern, path] = target.split(" @ ");
    const found = output.filter((line) => line !== "").length;
    return {
      input: { pattern, ...(path !== undefined && { path }), output_mode: "content" },
      response: {
        mode: "content",
        numFiles: 0,
        filenames: [],
        content,
        numLines: found,
        totalLines: found,
      },
      shown: content === "" ? "No matches found" : content,
    };
  },
  Glob: ({ target, output }, _root, content) => ({
    input: { pattern: target },
    response: {
      filenames: output,
      durationMs: 9,
      numFiles: output.length,
      truncated: false,
      totalMatches: output.length,
      countIsComplete: true,
    },
    shown: content,
  }),
};

/** `file:40`: reads from that line on. */
function place(target: string): [file: string, from: number | undefined] {
  const found = /^(.*):(\d+)$/.exec(target);
  return found === null ? [target, undefined] : [found[1]!, Number(found[2])];
}

/** The short description that the agent adds to each command. */
function describe(command: string): string {
  return DESCRIPTIONS.find(([pattern]) => pattern.test(command))?.[1] ?? "Run a command";
}

const DESCRIPTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bbench\b|hyperfine|autocannon|pprof|cProfile/, "Measure performance"],
  [/vitest|playwright|pytest|go test|cargo (test|nextest)|gradlew test|flutter test/, "Run tests"],
  [/tsc --noEmit|go vet|go build|cargo (check|clippy)|mypy|analyze|compileKotlin/, "Check types and lint"],
  [/\bbuild\b/, "Build the project"],
  [/^git (log|show|diff|status)/, "Look at git history"],
  [/^git /, "Commit the change"],
  [/psql|mysql|duckdb/, "Query the database"],
  [/kubectl/, "Look at the cluster"],
  [/terraform/, "Run terraform"],
  [/grep|tail|head|jq|wc/, "Search the output"],
  [/ up -r|go get|cargo update|uv lock|pub upgrade|helm upgrade|dependencyUpdates/, "Update a dependency"],
];
