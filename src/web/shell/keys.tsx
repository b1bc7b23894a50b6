import { useEffect, useMemo, useRef, useState } from "react";
import { live } from "../api/live.ts";
import { needsYou, titleOf } from "../parts/standing.ts";
import { baseName } from "../words/amounts.ts";
import { useWords } from "../words/words.ts";
import { MENU } from "./menu.ts";
import { pageKeys } from "./page-keys.ts";
import { go } from "./router.ts";
import "./keys.css";

/** Keys that work on every page, their help, and the palette. Pages add theirs with `data-row` and `data-key`. */
export function Keys() {
  const [open, setOpen] = useState<"help" | "palette" | null>(null);
  const isGoing = useRef(0);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if ((event.metaKey || event.ctrlKey) && event.key.toLowerCase() === "k") {
        event.preventDefault();
        setOpen("palette");
        return;
      }
      if (event.key === "Escape") setOpen(null);
      if (event.metaKey || event.ctrlKey || event.altKey || isTyping(event.target)) return;
      if (localStorage.getItem("hookline.keys") === "off") return;
      if (Date.now() - isGoing.current < 1_200) {
        isGoing.current = 0;
        const page = MENU.find(({ letter }) => letter === event.key);
        if (page !== undefined) {
          go(page.href);
          return;
        }
      }
      switch (event.key) {
        case "?":
          setOpen("help");
          break;
        case "g":
          isGoing.current = Date.now();
          break;
        case "j":
          moveRow(1);
          break;
        case "k":
          moveRow(-1);
          break;
        case "n":
          goToNext();
          break;
        case "/":
          event.preventDefault();
          toFilter();
          break;
        default:
          press(event);
      }
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, []);
  if (open === "help") return <Help onClose={() => setOpen(null)} />;
  if (open === "palette") return <Palette onClose={() => setOpen(null)} />;
  return null;
}

/** A page's own key: a field is entered, everything else pressed. */
function press(event: KeyboardEvent): void {
  const target = document.querySelector<HTMLElement>(`main [data-key='${CSS.escape(event.key)}']`);
  if (event.key === " " && target !== null) {
    // The space bar belongs to what has the focus.
    if (event.target instanceof Element && event.target.closest("a,button,summary") !== null) return;
    event.preventDefault();
  }
  if (!isTyping(target)) target?.click();
  else {
    event.preventDefault();
    target?.focus();
  }
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}

function toFilter(): void {
  const field = document.querySelector<HTMLInputElement>("[data-key='/']");
  if (field === null) go("/search");
  else field.focus();
}

function moveRow(by: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main [data-row]")];
  if (rows.length === 0) return;
  const at = rows.findIndex((row) => row.contains(document.activeElement));
  const next =
    rows[Math.max(0, Math.min(rows.length - 1, at === -1 ? (by > 0 ? 0 : rows.length - 1) : at + by))];
  const focusable = next?.matches("a,button,[tabindex]")
    ? next
    : next?.querySelector<HTMLElement>("a,button,[tabindex]");
  focusable?.focus();
  next?.scrollIntoView({ block: "nearest" });
}

function goToNext(): void {
  const waiting = [...live.get().sessions.values()]
    .filter(needsYou)
    .sort((a, b) => (a.sinceIso < b.sinceIso ? -1 : 1));
  const at = waiting.findIndex(({ sessionId }) => location.pathname === `/s/${sessionId}`);
  const next = waiting[(at + 1) % Math.max(1, waiting.length)];
  if (next !== undefined) go(`/s/${next.sessionId}`);
}

function Help({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const [own] = useState(pageKeys);
  const rows = [
    [["?"], words.keys.help],
    [["Ctrl", "K"], words.keys.palette],
    [["/"], words.keys.filter],
    [["j", "k"], words.keys.move],
    [["↵"], words.keys.open],
    [["n"], words.keys.next],
    ...own,
    ...MENU.map(({ key, letter }) => [["g", letter], `${words.keys.goTo}: ${words.pages[key]}`] as const),
  ] as const;
  return (
    <Dialog label={words.keys.title} onClose={onClose}>
      <h2>{words.keys.title}</h2>
      <dl className="key-list">
        {rows.map(([keys, what]) => (
          <div key={`${keys.join(" ")} ${what}`}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}

interface Entry {
  readonly key: string;
  readonly label: string;
  readonly detail: string;
  readonly href: string;
}

function Palette({ onClose }: { readonly onClose: () => void }) {
  const words = useWords();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const entries = useMemo((): Entry[] => {
    const pages = [
      ...MENU.map(({ key, href }) => ({ key, href, label: words.pages[key] })),
      { key: "steer", href: "/steer", label: words.pages.steer },
    ];
    const sessions = [...live.get().sessions.values()].map((session) => ({
      key: session.sessionId,
      label: titleOf(session),
      detail: `${baseName(session.projectPath)} · ${words.state[session.activityPhase ?? "idle"] ?? session.state}`,
      href: `/s/${session.sessionId}`,
    }));
    return [...pages.map((page) => ({ ...page, detail: "" })), ...sessions];
  }, [words]);
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const found = entries
    .filter(({ label, detail }) => wanted.every((word) => `${label} ${detail}`.toLowerCase().includes(word)))
    .slice(0, 12);
  const choose = (entry: Entry | undefined): void => {
    onClose();
    if (entry !== undefined) go(entry.href);
    else if (text !== "") go(`/search?q=${encodeURIComponent(text)}`);
  };
  return (
    <Dialog label={words.keys.palette} onClose={onClose}>
      <input
        className="field palette-field"
        autoFocus
        role="combobox"
        aria-expanded="true"
        aria-controls="palette-list"
        aria-activedescendant={found[at] && `palette-${found[at].key}`}
        aria-label={words.keys.palette}
        placeholder={words.keys.find}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") setAt(Math.min(found.length - 1, at + 1));
          else if (event.key === "ArrowUp") setAt(Math.max(0, at - 1));
          else if (event.key === "Enter") choose(found[at]);
          else return;
          event.preventDefault();
        }}
      />
      <div className="palette-list" id="palette-list" role="listbox" aria-label={words.keys.palette}>
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
            <span className="cut">{entry.label}</span>
            <span className="muted cut">{entry.detail}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p className="muted palette-none">{words.keys.nothing}</p>}
    </Dialog>
  );
}

export function Dialog({
  label,
  onClose,
  children,
}: {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: React.ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () => before?.focus();
  }, []);
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes it
    <dialog
      ref={dialog}
      className="dialog panel"
      aria-label={label}
      onClose={onClose}
      onClick={(event) => event.target === dialog.current && onClose()}
    >
      <div className="dialog-body">{children}</div>
    </dialog>
  );
}
