/** The keys of the page that is open, each with what its button says. */
export function pageKeys(): (readonly [readonly string[], string])[] {
  const found = new Map<string, string>();
  for (const element of document.querySelectorAll<HTMLElement>("main [data-key]")) {
    const key = element.dataset["key"]!;
    if (key === "/" || found.has(key)) continue;
    found.set(key, element.getAttribute("aria-label") ?? labelOf(element));
  }
  return [...found].map(([key, label]) => [[key === " " ? "␣" : key], label]);
}

/** Its text without the key that stands in it. */
function labelOf(element: HTMLElement): string {
  const copy = element.cloneNode(true) as HTMLElement;
  for (const hint of copy.querySelectorAll("[aria-hidden='true'], kbd")) hint.remove();
  return copy.textContent.trim();
}
