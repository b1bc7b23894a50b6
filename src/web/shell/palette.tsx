import { useEffect, useMemo, useRef, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { Icon } from "../components/icon.tsx";
import { useStrings } from "../i18n/strings.ts";
import { Dialog } from "./dialog.tsx";
import { type PaletteEntry, paletteEntries } from "./palette-entries.ts";
import { go } from "./router.ts";
import { findSession, focusedSessionId, pageSessionId } from "./shown-sessions.ts";

const MAX_ENTRIES = 12;

/** The command palette. */
export function Palette({ onClose, onHelp }: { readonly onClose: () => void; readonly onHelp: () => void }) {
  const strings = useStrings();
  const [text, setText] = useState("");
  const [selectedIndex, setSelectedIndex] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  // Read before the focus moves into the palette.
  const [session] = useState(() => {
    const id = focusedSessionId() ?? pageSessionId();
    return id === null ? null : findSession(id);
  });
  const entries = useMemo(() => paletteEntries(strings, session, onHelp), [strings, session, onHelp]);
  const terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  const matches = entries
    .filter(({ label, detail }) => terms.every((term) => `${label} ${detail}`.toLowerCase().includes(term)))
    .slice(0, MAX_ENTRIES);
  const selected = matches[selectedIndex];
  useEffect(() => {
    if (selected !== undefined) list.current?.querySelector(".at")?.scrollIntoView({ block: "nearest" });
  }, [selected]);
  const run = (entry: PaletteEntry | undefined): void => {
    onClose();
    if (entry !== undefined) entry.act();
    else if (text !== "") go(`/search?q=${encodeURIComponent(text)}`);
  };
  return (
    <Dialog label={strings.keys.palette} className="palette" onClose={onClose}>
      <input
        className="field palette-field"
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={selected && `palette-${selected.key}`}
        aria-label={strings.keys.palette}
        placeholder={strings.keys.placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setSelectedIndex(0);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "ArrowDown") setSelectedIndex(Math.min(matches.length - 1, selectedIndex + 1));
          else if (event.key === "ArrowUp") setSelectedIndex(Math.max(0, selectedIndex - 1));
          else if (event.key === "Enter") run(selected);
          else return;
          event.preventDefault();
        }}
      />
      <div
        className="palette-list"
        id="palette-list"
        ref={list}
        role="listbox"
        aria-label={strings.keys.palette}
      >
        {matches.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input above handles keys
          <div
            key={entry.key}
            id={`palette-${entry.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === selectedIndex}
            className={index === selectedIndex ? "at" : ""}
            onClick={() => run(entry)}
          >
            <Icon name={entry.icon} />
            <span className="label cut">{visibleText(entry.label)}</span>
            <span className="detail muted cut">{visibleText(entry.detail)}</span>
            {entry.hint !== undefined && <kbd>{visibleText(entry.hint)}</kbd>}
          </div>
        ))}
      </div>
      {matches.length === 0 && <p className="muted palette-none">{strings.keys.noMatches}</p>}
    </Dialog>
  );
}
