import { useMemo } from "react";
import { kindOfCall } from "../../agents/tool-call.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { CodeText } from "../components/code-text.tsx";
import { hunksOf, isEdit } from "../session/call-hunks.ts";
import { subjectOf } from "../session/call-subject.ts";
import { DiffView } from "../session/diff-view.tsx";
import { Markdown } from "../session/markdown.tsx";
import { inputText } from "./input-text.ts";

/** A tool's whole input: an edit as a diff, a plan as text, everything else as it is. */
export function ToolInput({
  tool,
  input,
  plan = null,
}: {
  readonly tool: string;
  readonly input: unknown;
  readonly plan?: string | null;
}) {
  const kind = kindOfCall({ toolName: tool });
  const hunks = useMemo(() => (isEdit(kind) ? hunksOf(kind, input, null) : []), [kind, input]);
  if (hunks.length > 0)
    return (
      <div className="given-edit">
        <code>{visibleText(subjectOf({ toolName: tool, input }, null))}</code>
        <DiffView hunks={hunks} />
      </div>
    );
  const text = plan ?? inputText(tool, input);
  if (text === "") return null;
  return kind === "plan" ? <Markdown text={text} /> : <CodeText text={text} lines={200} />;
}
