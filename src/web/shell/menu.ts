/** The pages in menu order, with the letter that follows `g`. The phone's bottom bar has those with `isNear`. */
export const MENU = [
  { key: "now", href: "/", letter: "n", icon: "now", isNear: true },
  { key: "sessions", href: "/sessions", letter: "s", icon: "sessions", isNear: true },
  { key: "search", href: "/search", letter: "f", icon: "search", isNear: true },
  { key: "steer", href: "/steer", letter: "d", icon: "steer", isNear: true },
  { key: "usage", href: "/usage", letter: "u", icon: "usage", isNear: false },
  { key: "away", href: "/away", letter: "a", icon: "away", isNear: false },
  { key: "policy", href: "/policy", letter: "p", icon: "policy", isNear: false },
  { key: "health", href: "/health", letter: "h", icon: "health", isNear: false },
  { key: "settings", href: "/settings", letter: ",", icon: "settings", isNear: false },
] as const;
