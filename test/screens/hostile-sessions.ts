// Sessions of a malicious agent, reported through real hooks and a transcript: every text that an agent, a
// repository or a model controls tries to be more than text.

import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Hookline } from "../support/hookline.ts";
import { PATIENCE_MS } from "../support/patience.ts";

/** A name to find on the pages, and everything that must not happen. */
export function evil(name: string): string {
  return [
    `evil-${name}`,
    `<img src=x onerror="window.ran='${name}'">`,
    `</script><script>window.ran='${name}'</script>`,
    `"><svg/onload=window.ran='${name}'>`,
    `<a href="javascript:window.ran='${name}'">a</a><iframe srcdoc="<script>parent.ran=1</script>"></iframe>`,
    `<style>*{background:url(https://evil.test/${name})}</style>`,
    `[l](javascript:window.ran=1) ![i](https://evil.test/i.png) <https://evil.test/auto> https://evil.test/bare`,
    "\u202egnp.exe\u202c\u2066x\u2069 zero\u200bwidth\u2060\ufeff \u{e0041}\u00ad nul\u0000 half\ud800",
    "\u001b]0;owned\u0007\u001b[2J\u001b[31m\u001b]8;;https://evil.test\u001b\\link\u001b]8;;\u001b\\\u001b]52;c;aGk=\u0007\u009b2J",
    `{n} {name} %s %zz __proto__ مرحبا evil-${name}`,
  ].join(" ");
}

export const SESSION = "5e550000-0000-4000-8000-000000000001";
/** Ids that are URLs, encodings or property names of objects. */
export const ODD_SESSIONS = ["%zz<img src=x>/../?a#b", "__proto__", "constructor"];

export async function workHostilely(hookline: Hookline): Promise<void> {
  const cwd = join(hookline.root, "evil-project <img src=x onerror=ran=1> \u202e\u200b\u001b[31m %zz");
  mkdirSync(cwd, { recursive: true });
  const transcript = join(hookline.root, ".claude/projects/evil", `${SESSION}.jsonl`);
  mkdirSync(join(transcript, ".."), { recursive: true });
  writeFileSync(transcript, "");
  const base = { session_id: SESSION, cwd, transcript_path: transcript, permission_mode: evil("mode") };
  const write = (fields: object): void =>
    appendFileSync(
      transcript,
      `${JSON.stringify({ sessionId: SESSION, cwd, gitBranch: evil("branch"), version: "2.1.325", timestamp: new Date().toISOString(), ...fields })}\n`,
    );
  let messages = 0;
  const say = (text: string, model = evil("model")): void => {
    const id = `msg_${messages++}`;
    const usage = { input_tokens: 10, output_tokens: 20, cache_read_input_tokens: 5 };
    const content = [{ type: "text", text }];
    write({
      type: "assistant",
      uuid: id,
      requestId: `req_${id}`,
      message: { id, role: "assistant", model, content, usage },
    });
  };
  const fire = async (name: string, fields: object = {}): Promise<void> => {
    const told = await hookline.fire({ ...base, prompt_id: "p1", hook_event_name: name, ...fields });
    if (told.code !== 0) throw new Error(`${name}: ${told.stderr}`);
  };
  let calls = 0;
  const call = async (tool: string, input: unknown, end: object = {}, own: object = {}): Promise<void> => {
    const about = { ...own, tool_name: tool, tool_input: input, tool_use_id: `toolu_${calls++}` };
    await fire("PreToolUse", about);
    const name = "error" in end ? "PostToolUseFailure" : "PostToolUse";
    await fire(name, { ...about, duration_ms: 1_200, tool_response: {}, ...end });
  };

  await fire("SessionStart", { source: "startup", model: evil("start-model") });
  write({ type: "ai-title", aiTitle: evil("title") });
  await fire("UserPromptSubmit", { prompt: evil("prompt") });
  await fire("UserPromptExpansion", {
    expansion_type: "slash_command",
    command_name: evil("skill"),
    command_args: evil("skill-args"),
  });
  say(markdown());
  const command = `echo ${evil("command")}`;
  await call(
    "Bash",
    { command, description: evil("description") },
    { tool_response: { stdout: evil("stdout"), stderr: evil("stderr") } },
  );
  await call(
    "Bash",
    { command: "cat big" },
    { tool_response: { stdout: `<b>${"w".repeat(1 << 20)}`, stderr: "" } },
  );
  await call("Bash", { command }, { error: evil("error") });
  await edit(call, `${cwd}/evil-file <img src=x onerror=ran=1> \u202e.ts`);
  await call("Write", {
    file_path: `${cwd}/${evil("written").replaceAll("/", "|")}`,
    content: evil("content"),
  });
  await call("mcp__evil-<img src=x>\u202e__tool \u001b[2J", JSON.parse(PROTO), {
    tool_response: JSON.parse(PROTO),
  });
  await call(evil("tool"), { [evil("key")]: evil("value"), nested: { deep: [evil("nested")] } });
  await call("__proto__", "evil-string-input <img src=x>", {
    tool_response: [null, 1, { type: "text", text: 5 }],
  });
  await call("TodoWrite", { todos: [{ content: evil("todo"), status: "sr-only" }, null, 7] });
  await call("WebFetch", { url: "javascript:window.ran=1", prompt: evil("fetch") });
  const agent = { agent_id: "agent-1", agent_type: evil("agent-type") };
  await fire("SubagentStart", agent);
  await call("Grep", { pattern: evil("pattern"), path: "/x" }, {}, agent);
  await fire("SubagentStop", { ...agent, last_assistant_message: evil("agent-said") });
  await fire("TaskCreated", { task_id: "1", task_subject: evil("subject"), task_description: evil("task") });
  await fire("Notification", { notification_type: evil("kind"), message: evil("notice"), title: evil("nt") });
  await fire("PostModelSwitch", { from_model: evil("from"), to_model: evil("to"), source: evil("source") });
  await fire("PreCompact", { trigger: evil("trigger"), custom_instructions: evil("instructions") });
  await fire("PostCompact", { trigger: "auto", compact_summary: evil("summary") });
  await fire("PermissionDenied", { tool_name: evil("denied"), tool_input: {}, reason: evil("reason") });
  await fire(evil("hook").slice(0, 40));
  await fire("Stop", {
    last_assistant_message: evil("last"),
    background_tasks: [{ id: "1", type: evil("bg-type"), description: evil("bg") }, null],
  });
  await fire("UserPromptSubmit", { prompt_id: "__proto__", prompt: evil("second") });
  await fire("PermissionRequest", {
    prompt_id: "__proto__",
    tool_name: "Bash",
    tool_input: { command: `echo ${evil("asked")}` },
    permission_suggestions: [{ type: evil("suggestion"), rules: [evil("rule")] }],
  });
  for (const [index, session_id] of ODD_SESSIONS.entries()) {
    const own = { session_id, transcript_path: "/none", prompt_id: `odd-${index}` };
    await fire("UserPromptSubmit", { ...own, prompt: `evil-odd-${index} <img src=x>` });
    if (index > 0)
      await fire("StopFailure", { ...own, error: evil("failure"), error_details: evil("details") });
  }
  const known = ["evil-title", "evil-branch", "evil-model", "evil-asked"];
  for (const until = Date.now() + PATIENCE_MS; ; await sleep(50)) {
    await hookline.settle();
    const told = JSON.stringify(await hookline.ask("GET", `/api/sessions/${SESSION}`));
    if (known.every((name) => told.includes(name))) return;
    if (Date.now() > until) throw new Error(`not told: ${known.filter((name) => !told.includes(name))}`);
  }
}

/** Own keys that never set a prototype, however they are assigned. */
const PROTO =
  '{"__proto__":{"polluted":"evil-proto"},"constructor":{"prototype":{"polluted":1}},"toString":"evil-tostring"}';

async function edit(
  call: (tool: string, input: unknown, end?: object) => Promise<void>,
  file: string,
): Promise<void> {
  const [before, after] = [evil("old"), evil("new")];
  const patch = [
    { oldStart: 1, oldLines: 1, newStart: 1, newLines: 1, lines: [`-${before}`, `+${after}`, 5, null] },
  ];
  await call(
    "Edit",
    { file_path: file, old_string: before, new_string: after },
    { tool_response: { filePath: file, structuredPatch: patch } },
  );
  await call(
    "Edit",
    { file_path: 5, old_string: {}, new_string: [null] },
    { tool_response: { structuredPatch: [null, 1, {}] } },
  );
}

function markdown(): string {
  return [
    `# ${evil("heading")}`,
    evil("said"),
    "[ref]: javascript:window.ran=1\n[text][ref] <javascript:window.ran=1> ![x][ref]",
    `| ${evil("cell").replaceAll("|", "")} | b |\n|---|---|\n| <img src=x onerror=ran=1> | c |`,
    `${"> ".repeat(3_000)}deep`,
    Array.from({ length: 60 }, (_, depth) => `${"  ".repeat(depth)}- ${depth}`).join("\n"),
    `~~~~<img src=x onerror=ran=1>\n\`\`\`\n${evil("fenced")}\n\`\`\`\n~~~~`,
    `# a${" ".repeat(20_000)}x\u2028`,
    `${"*a ".repeat(1_500)}${"[".repeat(3_000)}`,
    `<details open ontoggle=ran=1><form action=https://evil.test><input autofocus onfocus=ran=1></form></details>`,
    `${"y".repeat(5_000)}`,
  ].join("\n\n");
}
