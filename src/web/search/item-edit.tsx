import { useState } from "react";
import type { ItemDetail, MarkRequest } from "../../serve/contract.ts";
import { useStrings } from "../i18n/strings.ts";

type Edit = NonNullable<MarkRequest["edit"]>;

const TYPES = [
  "discovery",
  "change",
  "fix",
  "decision",
  "failure",
  "command",
  "test",
  "research",
  "delegation",
] as const;

/** Edits the text of an item. What a person wrote is never overwritten. */
export function ItemEdit({
  item,
  onSave,
  onCancel,
}: {
  readonly item: ItemDetail;
  readonly onSave: (edit: Edit | null) => Promise<void>;
  readonly onCancel: () => void;
}) {
  const { search: strings, app } = useStrings();
  const { content } = item;
  const [title, setTitle] = useState(content.title);
  const [type, setType] = useState(content.type);
  const [narrative, setNarrative] = useState(content.narrative ?? "");
  const [facts, setFacts] = useState(content.facts.join("\n"));
  const [concepts, setConcepts] = useState(content.concepts.join(", "));
  const save = (): Promise<void> => {
    const next: Edit = {
      title: title.trim(),
      type,
      narrative: narrative.trim() === "" ? null : narrative,
      facts: splitList(facts, "\n"),
      concepts: splitList(concepts, ","),
    };
    // Only the changed fields count as written by a person.
    const changed = Object.entries(next).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(content[key as keyof Edit]),
    );
    if (changed.length > 0) return onSave(Object.fromEntries(changed));
    onCancel();
    return Promise.resolve();
  };
  return (
    <form
      className="item-edit"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <label>
        <span>{strings.title}</span>
        <input
          className="field"
          // biome-ignore lint/a11y/noAutofocus: the user opened it to type
          autoFocus
          required
          maxLength={120}
          value={title}
          onChange={(event) => setTitle(event.target.value)}
        />
      </label>
      {item.kind === "observation" && (
        <label>
          <span>{strings.type}</span>
          <select
            className="field"
            value={type}
            onChange={(event) => setType(event.target.value as typeof type)}
          >
            {TYPES.map((option) => (
              <option key={option} value={option}>
                {strings.types[option]}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        <span>{strings.narrative}</span>
        <textarea
          className="field"
          rows={4}
          value={narrative}
          onChange={(event) => setNarrative(event.target.value)}
        />
      </label>
      <label>
        <span>{strings.factsHint}</span>
        <textarea
          className="field"
          rows={4}
          value={facts}
          onChange={(event) => setFacts(event.target.value)}
        />
      </label>
      <label>
        <span>{strings.conceptsHint}</span>
        <input className="field" value={concepts} onChange={(event) => setConcepts(event.target.value)} />
      </label>
      <div className="button-row">
        <button type="submit" className="button primary">
          {app.save}
        </button>
        <button type="button" className="button bare" onClick={onCancel}>
          {app.cancel}
        </button>
        {item.madeBy === "person" && (
          <button type="button" className="button bare end" onClick={() => void onSave(null)}>
            {strings.undoEdit}
          </button>
        )}
      </div>
    </form>
  );
}

function splitList(text: string, separator: string): string[] {
  return text
    .split(separator)
    .map((part) => part.trim())
    .filter(Boolean);
}
