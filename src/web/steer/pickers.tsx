import { useId, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { live } from "../api/live.ts";
import { useStrings } from "../i18n/strings.ts";

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
  const shown: readonly string[] = (MODES as readonly string[]).includes(mode) ? MODES : [...MODES, mode];
  return (
    <select
      id={id}
      className="field"
      aria-label={id === undefined ? steer.mode : undefined}
      value={mode}
      onChange={(event) => onPick(event.target.value)}
    >
      {shown.map((one) => (
        <option key={one} value={one}>
          {visibleText(names[one] ?? one)}
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
  const list = useId();
  const [text, setText] = useState<string | null>(null);
  const seen = new Set([...live.get().sessions.values()].flatMap((session) => session.model ?? []));
  const commit = (): void => {
    const wanted = text?.trim() ?? "";
    setText(null);
    if (wanted !== model && (wanted !== "" || text === "")) onPick(wanted);
  };
  return (
    <>
      <input
        id={id}
        className="field"
        list={list}
        aria-label={id === undefined ? steer.model : undefined}
        placeholder={steer.modelHint}
        value={text ?? model}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Escape") setText(null);
          if (event.key !== "Enter") return;
          event.preventDefault();
          commit();
        }}
      />
      <datalist id={list}>
        {[...ALIASES, ...seen].map((one) => (
          <option key={one} value={one} />
        ))}
      </datalist>
    </>
  );
}
