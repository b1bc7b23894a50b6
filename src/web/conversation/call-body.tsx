import { type ReactNode, useMemo } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { Icon } from "../components/icon.tsx";
import { daemonText } from "../i18n/daemon-text.ts";
import { useStrings } from "../i18n/strings.ts";
import { type Fields, fieldsOf, textOf } from "../session/session-event.ts";
import { blobHashOf, hunksOf, isEdit } from "./call-hunks.ts";
import { subjectOf } from "./call-subject.ts";
import type { Hunk } from "./diff-lines.ts";
import { DiffView } from "./diff-view.tsx";
import { type Call, isBad } from "./entry.ts";
import { FoldedText } from "./folded-text.tsx";
import { Markdown } from "./markdown.tsx";
import { useBlobValue } from "./use-blob.ts";

/** A call in full: its input in the most readable form, and its output. */
export function CallBody({
  call,
  folder,
  children,
}: {
  readonly call: Call;
  readonly folder: string | null;
  /** Rendered between input and output. */
  readonly children?: ReactNode;
}) {
  const { session, steer } = useStrings();
  const { kind, output, error, status, driven } = call;
  const isWrong = isBad(call);
  // A successful edit's output is in its diff, and an answer in its question.
  const isShown = isEdit(kind) || fieldsOf(call.input)["answers"] !== undefined;
  const shownOutput = isShown && !isWrong ? null : output;
  return (
    <div className="call-body">
      <CallInput call={call} folder={folder} />
      {children}
      {output === null && error !== null && <FoldedText text={error} tone="bad" from="end" />}
      {shownOutput === "" && status !== "running" && <p className="muted small">{steer.noOutput}</p>}
      {shownOutput !== null &&
        shownOutput !== "" &&
        (kind === "agent" ? (
          <Markdown text={shownOutput} />
        ) : (
          <FoldedText
            text={shownOutput.replace(/^<tool_use_error>|<\/tool_use_error>$/g, "")}
            tone={isWrong ? "bad" : undefined}
            from={isWrong ? "end" : "start"}
            lines={isWrong ? 16 : 10}
          />
        ))}
      {status === "running" && <p className="muted">{session.running}</p>}
      {driven?.decision != null && driven.decision.verdict !== "deny" && (
        <p className="muted small">
          {visibleText(driven.decision.rule)}: {visibleText(daemonText(driven.decision.reason))}
        </p>
      )}
    </div>
  );
}

/** A call's input in the most readable form, without what its summary line shows. */
export function CallInput({
  call,
  folder,
  isStandalone = false,
}: {
  readonly call: Call;
  readonly folder: string | null;
  /** There is no summary line. */
  readonly isStandalone?: boolean;
}) {
  const { session } = useStrings();
  const input = useBlobValue(call.input, true);
  const patch = useBlobValue(call.patch, isEdit(call.kind));
  const fields = fieldsOf(input.value);
  const hunks = useMemo(
    () =>
      isEdit(call.kind) && input.type !== "loading" && patch.type !== "loading"
        ? hunksOf(call.kind, input.value, blobHashOf(patch.value) === null ? patch.value : null)
        : [],
    [call.kind, input, patch],
  );
  const cut = input.type === "truncated" && <p className="muted small">{session.previewOnly}</p>;
  if (isEdit(call.kind))
    return (
      <>
        {isStandalone && <code>{visibleText(subjectOf(call, folder))}</code>}
        {hunks.length > 0 && (
          <DiffView
            hunks={hunks}
            path={subjectOf(call, null)}
            initialLines={isNewFile(hunks) ? NEW_FILE_LINES : undefined}
          />
        )}
        {cut}
      </>
    );
  const command = textOf(fields["command"]);
  const plan = textOf(fields["plan"]);
  const prompt = textOf(fields["prompt"]);
  if (!isStandalone && command !== null && command === subjectOf(call, folder) && command.length < 90)
    return cut;
  if (command !== null)
    return (
      <>
        <FoldedText text={command} lines={20} />
        {cut}
      </>
    );
  if (plan !== null) return <Markdown text={plan} />;
  if (Array.isArray(fields["questions"])) return <Questions fields={fields} />;
  if (Array.isArray(fields["todos"])) return <Todos todos={fields["todos"]} />;
  if (prompt !== null)
    return (
      <div className="task-prompt">
        <Markdown text={prompt} />
      </div>
    );
  const subject = subjectOf(call, folder);
  const rest = Object.entries(fields).filter(
    ([key, value]) => !key.startsWith("$") && (isStandalone || (value !== subject && key !== "file_path")),
  );
  if (rest.length === 0) return cut;
  return (
    <>
      <dl className="input-fields">
        {rest.map(([key, value]) => (
          <div key={key}>
            <dt>{visibleText(key)}</dt>
            <dd>
              {typeof value === "string" && value.length > 200 ? (
                <FoldedText text={value} />
              ) : (
                <code>{visibleText(typeof value === "string" ? value : JSON.stringify(value))}</code>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {cut}
    </>
  );
}

const NEW_FILE_LINES = 18;

/** A new file is collapsed further: its beginning shows what it is. */
function isNewFile(hunks: readonly Hunk[]): boolean {
  return hunks.every(({ lines }) => lines.every((line) => line.startsWith("+")));
}

function Questions({ fields }: { readonly fields: Fields }) {
  const answers = fieldsOf(fields["answers"]);
  return (fields["questions"] as readonly unknown[]).map(fieldsOf).map((questionFields, index) => {
    const question = textOf(questionFields["question"]) ?? "";
    const answer = textOf(answers[question]);
    const options = Array.isArray(questionFields["options"]) ? questionFields["options"].map(fieldsOf) : [];
    return (
      // biome-ignore lint/suspicious/noArrayIndexKey: questions of one call keep their order
      <div key={index} className="question-block">
        <p className="question">{visibleText(question)}</p>
        <ul>
          {options.map((option) => {
            const label = textOf(option["label"]) ?? "";
            const isChosen = answer?.split(", ").includes(label) ?? false;
            return (
              <li key={label} className={isChosen ? "chosen" : ""}>
                <Icon name={isChosen ? "dot" : "ring"} /> {visibleText(label)}
                <span className="muted"> {visibleText(textOf(option["description"]) ?? "")}</span>
              </li>
            );
          })}
          {answer !== null && !options.some(({ label }) => answer.includes(String(label))) && (
            <li className="chosen">
              <Icon name="dot" /> {visibleText(answer)}
            </li>
          )}
        </ul>
      </div>
    );
  });
}

function Todos({ todos }: { readonly todos: readonly unknown[] }) {
  return (
    <ul className="todos">
      {todos.map(fieldsOf).map(({ content, status }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: todos of one call keep their order
        <li key={index} className={status === "completed" ? "completed" : ""}>
          <Icon name={status === "completed" ? "check" : status === "in_progress" ? "half" : "ring"} />{" "}
          {visibleText(textOf(content) ?? "")}
        </li>
      ))}
    </ul>
  );
}
