import { useEffect, useState } from "react";
import type { Setting } from "../../serve/settings-contract.ts";
import { useStrings } from "../i18n/strings.ts";
import { Switch } from "./setting-row.tsx";

/** The control for a setting. Text is sent on blur or Enter, not on every keystroke. */
export function ConfigControl({
  setting,
  labelId,
  onSet,
}: {
  readonly setting: Setting;
  readonly labelId: string;
  readonly onSet: (value: unknown) => void;
}) {
  const { settings } = useStrings();
  const { kind, value } = setting;
  if (kind === "switch") return <Switch isOn={value === true} labelId={labelId} onChange={onSet} />;
  if (kind === "choice")
    return (
      <select
        className="field"
        aria-labelledby={labelId}
        value={String(value)}
        onChange={(event) => onSet(event.target.value)}
      >
        {setting.choices.map((choice) => (
          <option key={choice}>{choice}</option>
        ))}
      </select>
    );
  if (kind === "list")
    return <ListField value={value as readonly string[]} labelId={labelId} onSet={onSet} />;
  const isNumber = kind === "number";
  return (
    <TextField
      value={value === null ? "" : String(value)}
      isNumber={isNumber}
      labelId={labelId}
      placeholder={setting.nullable ? settings.never : ""}
      onSet={(text) => onSet(text === "" && setting.nullable ? null : isNumber ? Number(text) : text)}
    />
  );
}

function TextField({
  value,
  isNumber,
  labelId,
  placeholder,
  onSet,
}: {
  readonly value: string;
  readonly isNumber: boolean;
  readonly labelId: string;
  readonly placeholder: string;
  readonly onSet: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  const commit = (): void => {
    if (text !== value) onSet(text.trim());
  };
  return (
    <input
      className={`field ${isNumber ? "number" : "mono"}`}
      {...(isNumber ? { type: "number", min: "0", step: "any" } : { type: "text", maxLength: 200 })}
      autoComplete="off"
      spellCheck={false}
      aria-labelledby={labelId}
      placeholder={placeholder}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={commit}
      onKeyDown={(event) => event.key === "Enter" && commit()}
    />
  );
}

function ListField({
  value,
  labelId,
  onSet,
}: {
  readonly value: readonly string[];
  readonly labelId: string;
  readonly onSet: (list: readonly string[]) => void;
}) {
  const { settings } = useStrings();
  const joined = value.join("\n");
  const [text, setText] = useState(joined);
  useEffect(() => setText(joined), [joined]);
  return (
    <textarea
      className="field mono"
      rows={Math.max(2, value.length + 1)}
      aria-labelledby={labelId}
      placeholder={settings.listHint}
      value={text}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => {
        const list = text
          .split("\n")
          .map((line) => line.trim())
          .filter(Boolean);
        if (list.join("\n") !== joined) onSet(list);
      }}
    />
  );
}
