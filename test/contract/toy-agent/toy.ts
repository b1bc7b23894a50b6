import type { AgentAdapter } from "../../../src/agents/agent.ts";
import type { AnswerFormat, HookReply } from "../../../src/agents/answer-format.ts";
import { WATCHED_ONLY } from "../../../src/agents/capabilities.ts";
import type { Installer } from "../../../src/agents/installer.ts";
import type { PromptReader } from "../../../src/agents/prompt-reader.ts";
import { asObject, nonEmpty } from "../../../src/agents/read-json.ts";
import { settings } from "./settings.ts";
import { tools } from "./tools.ts";
import { transcripts } from "./transcripts.ts";
import { translateHook } from "./translate.ts";

const prompts: PromptReader = {
  payloadMarker: '"what":"ask"',
  authorOf: (prompt) => (prompt.startsWith("[toy]") ? "machine" : "person"),
  reportedCall: () => undefined,
};

const MOMENTS = { begin: "start", ask: "prompt", do: "call", may: "permission" } as const;

const answers: AnswerFormat = {
  events: { start: "begin", prompt: "ask", call: "do", permission: "may" },
  read(payload) {
    const fields = asObject(payload);
    const event = nonEmpty(fields, "what");
    const sessionId = nonEmpty(fields, "run");
    if (event === undefined || sessionId === undefined) return null;
    const words = (key: string): string | null => nonEmpty(fields, key) ?? null;
    return {
      provider: "toy",
      event,
      moment: MOMENTS[event as keyof typeof MOMENTS] ?? null,
      sessionId,
      cwd: words("dir"),
      promptId: words("turn"),
      prompt: words("text"),
      toolName: words("tool"),
      toolForm: tools.formOf(words("tool") ?? ""),
      toolInput: fields["with"],
      file: nonEmpty(asObject(fields["with"]), "path") ?? null,
      toolUseId: words("call"),
      mode: null,
      agentId: null,
      agentType: null,
      answer: event === "done" ? words("text") : null,
      source: words("why"),
      message: null,
      transcriptPath: null,
      isStopHookActive: false,
      payload,
    };
  },
  write: (event, reply) => ({ toy: event, say: reply }),
  parse: (output) => asObject(asObject(output)["say"]) as HookReply,
};

const installer: Installer = {
  events: ["begin", "ask", "do", "did", "may", "done", "end"],
  recordedEnv: ["TOY_PID", "TERM_PROGRAM"],
  digests: [{ name: "startup", matcher: "fresh" }],
  fileToolMatcher: "save",
  variables: { sessionId: "TOY_RUN", projectDir: "TOY_DIR", attended: "TOY_SEEN", envFile: "TOY_ENV" },
  unansweredPayload: (phase) =>
    `{"toy":"hook","what":"unanswered","run":"%s","phase":"${phase}","daemon":"%s"}\\n`,
  program: { name: "toy", minVersion: "1.0.0", updateCommand: "toy wind", headlessCommand: "toy ask" },
  settings,
};

/** An agent that exists only in tests: one folder, and one row of a table. */
export const toy = {
  id: "toy",
  label: "Toy",
  capabilities: {
    ...WATCHED_ONLY,
    install: true,
    guard: true,
    approve: true,
    inject: true,
    transcripts: true,
  },
  recognises: (payload) => (asObject(payload)["toy"] === "hook" ? "certain" : "none"),
  translateHook,
  transcripts,
  prompts,
  tools,
  answers,
  installer,
} as const satisfies AgentAdapter;
