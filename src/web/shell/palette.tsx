import { useEffect, useMemo, useRef, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { Icon } from "../components/icon.tsx";
import { useStrings } from "../i18n/strings.ts";
import { Dialog } from "./dialog.tsx";
import { type PaletteEntry, paletteEntries } from "./palette-entries.ts";
import { go } from "./router.ts";
import { findSession, focusedSessionId, pageSessionId } from "./shown-sessions.ts";

const MAX_ENTRIES = 12;

/** Opens or does anything with a few letters and Enter. */
export function Palette({ onClose, onHelp }: { readonly onClose: () => void; readonly onHelp: () => void }) {
  const words = useStrings();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  // Before the focus moves into the palette.
  const [here] = useState(() => {
    const id = focusedSessionId() ?? pageSessionId();
    return id === null ? null : findSession(id);
  });
  const entries = useMemo(() => paletteEntries(words, here, onHelp), [words, here, onHelp]);
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries
    .filter(({ label, detail }) => wanted.every((word) => `${label} ${detail}`.toLowerCase().includes(word)))
    .slice(0, MAX_ENTRIES);
  const chosen = found[at];
  useEffect(() => {
    if (chosen !== undefined) list.current?.querySelector(".at")?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const choose = (entry: PaletteEntry | undefined): void => {
    onClose();
    if (entry !== undefined) entry.act();
    else if (text !== "") go(`/search?q=${encodeURIComponent(text)}`);
  };
  return (
    <Dialog label={words.keys.palette} className="palette" onClose={onClose}>
      <input
        className="field palette-field"
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={chosen && `palette-${chosen.key}`}
        aria-label={words.keys.palette}
        placeholder={words.keys.placeholder}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.nativeEvent.isComposing) return;
          if (event.key === "ArrowDown") setAt(Math.min(found.length - 1, at + 1));
          else if (event.key === "ArrowUp") setAt(Math.max(0, at - 1));
          else if (event.key === "Enter") choose(chosen);
          else return;
          event.preventDefault();
        }}
      />
      <div
        className="palette-list"
        id="palette-list"
        ref={list}
        role="listbox"
        aria-label={words.keys.palette}
      >
        {found.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys
          <div
            key={entry.key}
            id={`palette-${entry.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            className={index === at ? "at" : ""}
            onClick={() => choose(entry)}
          >
            <Icon name={entry.icon} />
            <span className="label cut">{visibleText(entry.label)}</span>
            <span className="detail muted cut">{visibleText(entry.detail)}</span>
            {entry.hint !== undefined && <kbd>{visibleText(entry.hint)}</kbd>}
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="muted palette-none">{words.keys.noMatches}</p>}
    </Dialog>
  );
}
