/** How times and numbers are formatted: for the chosen language, whatever the browser's own is. */
const KNOWN = {
  en: { tag: "en-US", s: "s", m: "m", h: "h", d: "d" },
  ko: { tag: "ko-KR", s: "초", m: "분", h: "시간", d: "일" },
} as const;

let chosen: (typeof KNOWN)[keyof typeof KNOWN] = KNOWN.en;

export function setLocale(language: keyof typeof KNOWN): void {
  chosen = KNOWN[language];
}

export function locale(): (typeof KNOWN)[keyof typeof KNOWN] {
  return chosen;
}
