import "./icon.css";

/** Our own icons on a 16-unit grid: a font that lacks a glyph would show a box. */
const ICONS = {
  // Statuses.
  diamond: ["fill", "M8 2.2 13.8 8 8 13.8 2.2 8Z"],
  question: ["line", "M5.4 5.9a2.6 2.6 0 1 1 4 2.2c-.9.6-1.4 1-1.4 1.9M8 12.7v.1"],
  plan: ["line", "M3.5 4h9M3.5 8h9M3.5 12h5.5"],
  bang: ["line", "M8 3v6M8 12.7v.1"],
  dot: ["fill", "M8 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8Z"],
  half: ["fill", "M8 2.5a5.5 5.5 0 0 0 0 11Zm0 0a5.5 5.5 0 0 1 0 11v-1.6a3.9 3.9 0 0 0 0-7.8Z"],
  hourglass: ["line", "M4.5 2.5h7M4.5 13.5h7M5.2 2.5v2L8 8l2.8-3.5v-2M5.2 13.5v-2L8 8l2.8 3.5v2"],
  dashed: [
    "line",
    "M6.2 3.3a5 5 0 0 1 3.6 0M12.7 6.2a5 5 0 0 1 0 3.6M9.8 12.7a5 5 0 0 1-3.6 0M3.3 9.8a5 5 0 0 1 0-3.6",
  ],
  ring: ["line", "M8 3.8a4.2 4.2 0 1 1 0 8.4 4.2 4.2 0 0 1 0-8.4Z"],
  check: ["line", "m3.2 8.4 3.1 3.1 6.5-7"],
  cross: ["line", "m4 4 8 8M12 4l-8 8"],
  square: ["fill", "M4.5 4.5h7v7h-7Z"],
  dash: ["line", "M4 8h8"],
  plus: ["line", "M8 3.5v9M3.5 8h9"],
  denied: ["line", "M8 2.8a5.2 5.2 0 1 1 0 10.4A5.2 5.2 0 0 1 8 2.8ZM4.4 4.4l7.2 7.2"],
  again: ["line", "M12.8 8A4.8 4.8 0 1 1 11 4.2M11.4 1.8v2.8H8.6"],
  // Pages.
  now: [
    "line",
    "M8 2.2a5.8 5.8 0 1 1 0 11.6A5.8 5.8 0 0 1 8 2.2ZM8 6.2a1.8 1.8 0 1 1 0 3.6 1.8 1.8 0 0 1 0-3.6Z",
  ],
  sessions: ["line", "M2.5 4h.1M5.5 4h8M2.5 8h.1M5.5 8h8M2.5 12h.1M5.5 12h8"],
  search: ["line", "M7 2.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9ZM10.4 10.4l3.3 3.3"],
  usage: ["line", "M2.5 13.5h11M4.5 13.5v-4M8 13.5v-10M11.5 13.5V7"],
  away: ["line", "M13 9.6A5.6 5.6 0 0 1 6.4 3a5.6 5.6 0 1 0 6.6 6.6Z"],
  policy: ["line", "M8 2 13 4v4c0 3-2.1 5-5 6-2.9-1-5-3-5-6V4ZM5.8 8l1.6 1.6 2.8-3"],
  health: ["line", "M1.8 8.5h3L6.6 4l2.8 8 1.8-3.5h3"],
  settings: ["line", "M2.5 4.5h6M12 4.5h1.5M10.2 2.9v3.2M2.5 11.5h2M8 11.5h5.5M6.2 9.9v3.2"],
  steer: ["line", "m3 4.2 3.6 3.6L3 11.4M8 12h5"],
  more: [
    "fill",
    "M3.4 6.7a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6Zm4.6 0a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6Zm4.6 0a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6Z",
  ],
  // Actions.
  star: ["line", "m8 2.3 1.75 3.6 3.95.55-2.87 2.77.7 3.93L8 11.3l-3.53 1.85.7-3.93L2.3 6.45l3.95-.55Z"],
  starred: ["fill", "m8 2.1 1.8 3.7 4.1.58-2.97 2.86.72 4.06L8 11.4l-3.65 1.9.72-4.06L2.1 6.38l4.1-.58Z"],
  bell: ["line", "M4.2 11.2V7a3.8 3.8 0 0 1 7.6 0v4.2l1 .8H3.2ZM6.8 13.7h2.4"],
  muted: [
    "line",
    "M4.2 11.2V7c0-.6.1-1.1.3-1.6M6.2 3.7A3.8 3.8 0 0 1 11.8 7v3M10 12H3.2l1-.8M6.8 13.7h2.4M2.5 2.5l11 11",
  ],
  copy: ["line", "M6 5.5h7v8H6ZM10 5.5v-3H3v8h3"],
  up: ["line", "M8 13V3.5M4 7.2l4-4 4 4"],
  down: ["line", "M8 3v9.5M4 8.8l4 4 4-4"],
  pencil: [
    "line",
    "m3 13 .7-3L10.5 3.2a1.2 1.2 0 0 1 1.7 0l.6.6a1.2 1.2 0 0 1 0 1.7L6 12.3ZM9.3 4.4l2.3 2.3",
  ],
  trash: ["line", "M3 4.5h10M6.2 4.5V3h3.6v1.5M4.3 4.5l.6 8.7h6.2l.6-8.7M6.8 7v3.7M9.2 7v3.7"],
  right: ["line", "m6 3.5 4.5 4.5L6 12.5"],
} as const satisfies Record<string, readonly ["fill" | "line", string]>;

export type IconName = keyof typeof ICONS;

/** Decorative: there is text next to it, or a label on its container. */
export function Icon({ name }: { readonly name: IconName }) {
  const [style, path] = ICONS[name];
  return (
    <svg className={`icon ${style}`} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={path} />
    </svg>
  );
}
