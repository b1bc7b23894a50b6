import { useEffect, useId, useState } from "react";
import type { Verdict } from "../../policy/request.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { send } from "../api/client.ts";
import { live } from "../api/live.ts";
import { useStore } from "../api/store.ts";
import { CodeText } from "../components/code-text.tsx";
import { daemonText } from "../i18n/daemon-text.ts";
import { baseName } from "../i18n/format.ts";
import { fill, useStrings } from "../i18n/strings.ts";
import { VerdictBadge } from "./verdict-badge.tsx";

const TOOLS = ["Bash", "Edit", "Write", "Read", "WebFetch", "JSON"] as const;
type Tool = (typeof TOOLS)[number];
const MODES = ["default", "acceptEdits", "plan", "auto", "dontAsk", "bypassPermissions"] as const;
const SAMPLE_COMMAND = "git push --force";
const SAMPLE_JSON = '{ "toolName": "mcp__memory__search", "toolInput": {} }';
const DEBOUNCE_MS = 150;

/** Evaluates a call without running it: the verdict updates while typing. */
export function TryRequest() {
  const { policy: strings } = useStrings();
  const folders = useFolders();
  const [tool, setTool] = useState<Tool>("Bash");
  const [text, setText] = useState("");
  const [json, setJson] = useState("");
  const [typedCwd, setCwd] = useState<string | null>(null);
  const cwd = typedCwd ?? folders[0] ?? "/";
  const [mode, setMode] = useState<string>("default");
  const isJson = tool === "JSON";
  const isCommand = tool === "Bash";
  const input = isJson ? json : text;
  const isBlank = input.trim() === "";
  const request = isBlank ? null : requestOf(tool, input, cwd);
  const { verdict, error } = useVerdict(request === null ? null : { ...request, mode, cwd });
  const list = useId();
  return (
    <section className="try-request" aria-labelledby="try">
      <h2 id="try">{strings.tryRequest}</h2>
      <div className="panel">
        <div className="fields">
          <select
            className="field"
            aria-label={strings.tool}
            value={tool}
            onChange={(event) => setTool(event.target.value as Tool)}
          >
            {TOOLS.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <select
            className="field"
            aria-label={strings.mode}
            value={mode}
            onChange={(event) => setMode(event.target.value)}
          >
            {MODES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
          <input
            className="field mono cwd"
            aria-label={strings.cwd}
            list={list}
            spellCheck={false}
            value={cwd}
            onChange={(event) => setCwd(event.target.value)}
          />
          <datalist id={list}>
            {folders.map((folder) => (
              <option key={folder} value={folder}>
                {visibleText(baseName(folder))}
              </option>
            ))}
          </datalist>
        </div>
        <textarea
          className="field mono"
          data-key="/"
          rows={isJson ? 5 : 2}
          spellCheck={false}
          aria-label={isJson ? strings.inputJson : isCommand ? strings.command : strings.path}
          placeholder={isJson ? SAMPLE_JSON : isCommand ? SAMPLE_COMMAND : ""}
          value={input}
          onChange={(event) => (isJson ? setJson : setText)(event.target.value)}
        />
        <div className="answer" role="status">
          {verdict !== null && (
            <>
              <p className="line">
                <VerdictBadge verdict={verdict.verdict} />
                <code>{visibleText(verdict.rule)}</code>
                <span className="muted">{fill(strings.step, { step: verdict.step })}</span>
              </p>
              <p>{visibleText(daemonText(verdict.reason))}</p>
              {verdict.updatedInput !== undefined && (
                <>
                  <p className="muted">{strings.becomes}</p>
                  <CodeText text={JSON.stringify(verdict.updatedInput, null, 2)} />
                </>
              )}
            </>
          )}
          {!isBlank && request === null && <p className="error-text">{strings.badJson}</p>}
          {error !== null && <p className="error-text">{visibleText(error)}</p>}
        </div>
      </div>
    </section>
  );
}

interface Request {
  readonly toolName: string;
  readonly toolInput: unknown;
}

function requestOf(tool: Tool, text: string, cwd: string): Request | null {
  const path = text.startsWith("/") || text.startsWith("~") ? text : `${cwd}/${text}`;
  switch (tool) {
    case "Bash":
      return { toolName: tool, toolInput: { command: text } };
    case "Edit":
      return { toolName: tool, toolInput: { file_path: path, old_string: "a", new_string: "b" } };
    case "Write":
      return { toolName: tool, toolInput: { file_path: path, content: "" } };
    case "Read":
      return { toolName: tool, toolInput: { file_path: path } };
    case "WebFetch":
      return { toolName: tool, toolInput: { url: text, prompt: "" } };
    case "JSON":
      return fromJson(text);
    default:
      return tool satisfies never;
  }
}

function fromJson(text: string): Request | null {
  try {
    const { toolName, toolInput = {} } = JSON.parse(text) as Partial<Request>;
    return typeof toolName === "string" && toolName !== "" ? { toolName, toolInput } : null;
  } catch {
    return null;
  }
}

function useVerdict(request: object | null): { verdict: Verdict | null; error: string | null } {
  const [state, setState] = useState<{ verdict: Verdict | null; error: string | null }>({
    verdict: null,
    error: null,
  });
  const body = request === null ? null : JSON.stringify(request);
  useEffect(() => {
    if (body === null) {
      setState({ verdict: null, error: null });
      return;
    }
    let isDisposed = false;
    const timer = setTimeout(() => {
      send<Verdict>("POST", "/api/control/policy/test", JSON.parse(body)).then(
        (verdict) => !isDisposed && setState({ verdict, error: null }),
        (error: Error) => !isDisposed && setState({ verdict: null, error: error.message }),
      );
    }, DEBOUNCE_MS);
    return () => {
      isDisposed = true;
      clearTimeout(timer);
    };
  }, [body]);
  return state;
}

function useFolders(): string[] {
  const sessions = [...useStore(live).sessions.values()];
  return [...new Set(sessions.flatMap(({ projectPath, cwd }) => projectPath ?? cwd ?? []))].sort();
}
