import type { ItemDetail } from "../../serve/contract.ts";
import { visibleText } from "../../shown/visible-text.ts";
import { CodeText } from "../components/code-text.tsx";
import { useStrings } from "../i18n/strings.ts";

const SUMMARY_KEYS = ["request", "investigated", "learned", "completed", "nextSteps"] as const;

export function ItemText({ item }: { readonly item: ItemDetail }) {
  const { search: strings } = useStrings();
  const { content, summary, tool } = item;
  const files = [...new Set([...content.filesModified, ...content.filesRead])];
  const summaryRows = SUMMARY_KEYS.flatMap((key) =>
    summary?.[key] ? [[strings.summary[key], summary[key]] as const] : [],
  );
  // A short prompt is its own title.
  const isSameAsTitle = item.text.trim() === content.title.trim();
  const isPlain = !isSameAsTitle && content.narrative === null && summaryRows.length === 0 && tool === null;
  return (
    <div className="item-text">
      {content.narrative !== null && <p className="narrative">{visibleText(content.narrative)}</p>}
      {summaryRows.length > 0 && (
        <dl>
          {summaryRows.map(([name, text]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{visibleText(text)}</dd>
            </div>
          ))}
        </dl>
      )}
      {isPlain && <CodeText text={item.text} lines={40} />}
      {content.facts.length > 0 && (
        <section>
          <h3>{strings.facts}</h3>
          <ul className="facts">
            {content.facts.map((fact) => (
              <li key={fact}>{visibleText(fact)}</li>
            ))}
          </ul>
        </section>
      )}
      {tool !== null && (
        <section>
          <h3>{strings.input}</h3>
          <CodeText text={inputText(tool.input)} lines={14} />
        </section>
      )}
      {tool !== null && tool.output !== null && tool.output !== "" && (
        <section>
          <h3>{strings.output}</h3>
          <CodeText text={tool.output} lines={20} />
        </section>
      )}
      {files.length > 0 && (
        <section>
          <h3>{strings.files}</h3>
          <ul className="files mono">
            {files.map((file) => (
              <li key={file}>{visibleText(file)}</li>
            ))}
          </ul>
        </section>
      )}
      {content.concepts.length > 0 && (
        <p className="concepts">
          {content.concepts.map((concept) => (
            <span key={concept} className="badge">
              {visibleText(concept)}
            </span>
          ))}
        </p>
      )}
    </div>
  );
}

/** Shows a plain command instead of its JSON. */
function inputText(input: unknown): string {
  const { command, ...rest } = (typeof input === "object" && input !== null ? input : {}) as {
    command?: unknown;
  };
  if (typeof command === "string" && Object.keys(rest).every((key) => key === "description")) return command;
  return typeof input === "string" ? input : JSON.stringify(input, null, 2);
}
