import { useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import { useStrings } from "../i18n/strings.ts";
import { SuggestionList, suggestionProps, useSuggestions } from "./suggestions.tsx";

/** `auto` is left out: our gate treats it as `default`. */
const MODES = ["default", "acceptEdits", "plan", "dontAsk", "bypassPermissions"] as const;
const ALIASES = ["opus", "sonnet", "haiku"];

export function ModePicker({
  mode,
  onPick,
  id,
}: {
  readonly mode: string;
  readonly onPick: (mode: string) => void;
  readonly id?: string;
}) {
  const { steer } = useStrings();
  const names: Readonly<Record<string, string>> = steer.modes;
  const modes: readonly string[] = (MODES as readonly string[]).includes(mode) ? MODES : [...MODES, mode];
  return (
    <select
      id={id}
      className="field"
      aria-label={id === undefined ? steer.mode : undefined}
      value={mode}
      onChange={(event) => onPick(event.target.value)}
    >
      {modes.map((option) => (
        <option key={option} value={option}>
          {visibleText(names[option] ?? option)}
        </option>
      ))}
    </select>
  );
}

/** Any name that Claude Code knows; those seen before are suggested. */
export function ModelPicker({
  model,
  onPick,
  id,
}: {
  readonly model: string;
  readonly onPick: (model: string) => void;
  readonly id?: string;
}) {
  const { steer } = useStrings();
  const [text, setText] = useState<string | null>(null);
  const knownModels = new Set([...live.get().sessions.values()].flatMap((session) => session.model ?? []));
  const commit = (): void => {
    const picked = text?.trim() ?? "";
    setText(null);
    if (picked !== model && (picked !== "" || text === "")) onPick(picked);
  };
  const [isFocused, setFocused] = useState(false);
  const query = (text ?? "").trim().toLowerCase();
  const options = [...new Set([...ALIASES, ...knownModels])].filter((name) =>
    name.toLowerCase().includes(query),
  );
  const suggestions = useSuggestions(
    isFocused ? options : [],
    (picked) => {
      setText(null);
      setFocused(false);
      onPick(picked);
    },
    false,
  );
  return (
    <div className="model-picker">
      <input
        id={id}
        className="field"
        role="combobox"
        aria-expanded={suggestions.isOpen}
        {...suggestionProps(suggestions)}
        aria-label={id === undefined ? steer.model : undefined}
        placeholder={steer.modelHint}
        autoComplete="off"
        value={text ?? model}
        onChange={(event) => {
          setFocused(true);
          setText(event.target.value);
        }}
        onFocus={() => setFocused(true)}
        onBlur={() => {
          setFocused(false);
          commit();
        }}
        onKeyDown={(event) => {
          if (suggestions.onKeyDown(event)) return;
          if (event.key === "Escape") setText(null);
          if (event.key !== "Enter") return;
          event.preventDefault();
          setFocused(false);
          commit();
        }}
      />
      <SuggestionList suggestions={suggestions} />
    </div>
  );
}
