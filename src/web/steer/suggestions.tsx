import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { useStrings } from "../i18n/strings.ts";
import "./suggestions.css";

export interface Suggestions {
  readonly id: string;
  readonly options: readonly string[];
  /** The selected option; -1 for none. */
  readonly selectedIndex: number;
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
  const initialIndex = selectsFirst ? 0 : -1;
  const [selectedIndex, setSelectedIndex] = useState(initialIndex);
  const [isHidden, setHidden] = useState(false);
  const joined = options.join("\n");
  // biome-ignore lint/correctness/useExhaustiveDependencies: new options reset the selection
  useEffect(() => {
    setSelectedIndex(initialIndex);
    setHidden(false);
  }, [joined]);
  const isOpen = options.length > 0 && !isHidden;
  return {
    id,
    options,
    selectedIndex,
    isOpen,
    pick: onPick,
    onKeyDown(event) {
      if (!isOpen || event.nativeEvent.isComposing) return false;
      if (event.key === "ArrowDown") setSelectedIndex((selectedIndex + 1) % options.length);
      else if (event.key === "ArrowUp")
        setSelectedIndex((selectedIndex <= 0 ? options.length : selectedIndex) - 1);
      else if (event.key === "Escape") setHidden(true);
      else if (
        (event.key === "Enter" || event.key === "Tab") &&
        !event.shiftKey &&
        options[selectedIndex] !== undefined
      )
        onPick(options[selectedIndex]);
      else return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

export function SuggestionList({
  suggestions: { id, options, selectedIndex, isOpen, pick },
  prefix = "",
}: {
  readonly suggestions: Suggestions;
  readonly prefix?: "/" | "@" | "";
}) {
  const { steer } = useStrings();
  const selected = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the selection changes
  useEffect(() => {
    // Not returned, because newer browsers return a promise.
    void selected.current?.scrollIntoView({ block: "nearest" });
  }, [selectedIndex]);
  if (!isOpen) return null;
  return (
    <div id={id} className="suggestions panel" role="listbox" aria-label={steer.suggestions}>
      {options.map((option, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus
        // biome-ignore lint/a11y/useKeyWithClickEvents: as above
        <div
          key={option}
          ref={index === selectedIndex ? selected : undefined}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === selectedIndex}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
          onClick={() => pick(option)}
        >
          {prefix}
          {visibleText(option)}
        </div>
      ))}
    </div>
  );
}

/** ARIA attributes that connect a field with its list. */
export function suggestionProps({ id, selectedIndex, isOpen }: Suggestions) {
  return {
    "aria-autocomplete": "list",
    "aria-controls": isOpen ? id : undefined,
    "aria-activedescendant": isOpen && selectedIndex >= 0 ? `${id}-${selectedIndex}` : undefined,
  } as const;
}
