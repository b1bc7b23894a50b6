import { KeyHint } from "../session/key-hint.tsx";
import { Link } from "../shell/link.tsx";
import { go } from "../shell/router.ts";
import "./tabs.css";

/** Tabs with their own URLs, selectable by number and arrow keys. */
export function Tabs<T extends string>({
  label,
  tabs,
  current,
  hrefOf,
  panel,
}: {
  readonly label: string;
  readonly tabs: readonly (readonly [key: T, name: string])[];
  readonly current: T;
  readonly hrefOf: (key: T) => string;
  /** The id of the element that shows the current tab; each tab's own id is `tab-` and its key. */
  readonly panel: string;
}) {
  const show = (key: T): void => go(hrefOf(key), "replace");
  return (
    <div className="tabs" role="tablist" aria-label={label}>
      {tabs.map(([key, name], index) => (
        <Link
          key={key}
          href={hrefOf(key)}
          id={`tab-${key}`}
          role="tab"
          aria-selected={key === current}
          aria-controls={panel}
          tabIndex={key === current ? 0 : -1}
          data-key={String(index + 1)}
          onClick={(event) => {
            if (event.metaKey || event.ctrlKey || event.shiftKey) return;
            event.preventDefault();
            show(key);
          }}
          onKeyDown={(event) => {
            const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
            if (step === 0) return;
            const [next] = tabs[(index + step + tabs.length) % tabs.length]!;
            show(next);
            document.getElementById(`tab-${next}`)?.focus();
          }}
        >
          {name} <KeyHint letter={String(index + 1)} />
        </Link>
      ))}
    </div>
  );
}
