import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { useStrings } from "../i18n/strings.ts";
import "./suggestions.css";

export interface Suggestions {
  readonly id: string;
  readonly options: readonly string[];
  /** The selected option; -1 for none. */
  readonly at: number;
  readonly isOpen: boolean;
  pick(option: string): void;
  /** Returns whether the key was used. */
  onKeyDown(event: KeyboardEvent): boolean;
}

/** Options under a field, chosen with arrows and Enter or Tab; Escape hides them until they change. */
export function useSuggestions(
  options: readonly string[],
  onPick: (option: string) => void,
  /** Whether the first is selected without an arrow key. */
  selectsFirst: boolean,
): Suggestions {
  const id = useId();
  const start = selectsFirst ? 0 : -1;
  const [at, setAt] = useState(start);
  const [isHidden, setHidden] = useState(false);
  const all = options.join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: other options start anew
  useEffect(() => {
    setAt(start);
    setHidden(false);
  }, [all]);
  const isOpen = options.length > 0 && !isHidden;
  return {
    id,
    options,
    at,
    isOpen,
    pick: onPick,
    onKeyDown(event) {
      if (!isOpen || event.nativeEvent.isComposing) return false;
      if (event.key === "ArrowDown") setAt((at + 1) % options.length);
      else if (event.key === "ArrowUp") setAt((at <= 0 ? options.length : at) - 1);
      else if (event.key === "Escape") setHidden(true);
      else if ((event.key === "Enter" || event.key === "Tab") && !event.shiftKey && options[at] !== undefined)
        onPick(options[at]);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

export function SuggestionList({
  suggestions: { id, options, at, isOpen, pick },
  sign = "",
}: {
  readonly suggestions: Suggestions;
  readonly sign?: "/" | "@" | "";
}) {
  const { steer } = useStrings();
  const selected = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another one is selected
  useEffect(() => {
    // Not returned: in newer browsers it is a promise.
    void selected.current?.scrollIntoView({ block: "nearest" });
  }, [at]);
  if (!isOpen) return null;
  return (
    <div id={id} className="suggestions panel" role="listbox" aria-label={steer.suggestions}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
        // biome-ignore lint/a11y/useKeyWithClickEvents: as above
        <div
          key={option}
          ref={index === at ? selected : undefined}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === at}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => pick(option)}
        >
          {sign}
          {visibleText(option)}
        </div>
      ))}
    </div>
  );
}

/** What connects a field with its list. */
export function suggestionProps({ id, at, isOpen }: Suggestions) {
  return {
    "aria-autocomplete": "list",
    "aria-controls": isOpen ? id : undefined,
    "aria-activedescendant": isOpen && at >= 0 ? `${id}-${at}` : undefined,
  } as const;
}
