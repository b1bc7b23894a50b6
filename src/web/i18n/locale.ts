/** Times and numbers follow the chosen language, not the browser's. */
const LOCALES = {
  en: { tag: "en-US", s: "s", m: "m", h: "h", d: "d" },
  ko: { tag: "ko-KR", s: "초", m: "분", h: "시간", d: "일" },
} as const;

let current: (typeof LOCALES)[keyof typeof LOCALES] = LOCALES.en;

export function setLocale(language: keyof typeof LOCALES): void {
  current = LOCALES[language];
}

export function locale(): (typeof LOCALES)[keyof typeof LOCALES] {
  return current;
}
