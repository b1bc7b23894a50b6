/** The pages in the order of the menu, with the letter that `g` goes there by. */
export const MENU = [
  { key: "now", href: "/", letter: "n", icon: "◎" },
  { key: "sessions", href: "/sessions", letter: "s", icon: "≡" },
  { key: "search", href: "/search", letter: "f", icon: "⌕" },
  { key: "usage", href: "/usage", letter: "u", icon: "◫" },
  { key: "away", href: "/away", letter: "a", icon: "☾" },
  { key: "policy", href: "/policy", letter: "p", icon: "◇" },
  { key: "health", href: "/health", letter: "h", icon: "♡" },
  { key: "settings", href: "/settings", letter: ",", icon: "⚙" },
] as const;
