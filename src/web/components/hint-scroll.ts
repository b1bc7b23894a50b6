/**
 * For the ref of a row that scrolls sideways: `data-more` names the sides with hidden content, where the row
 * fades out.
 */
export function hintScroll(row: HTMLElement | null): (() => void) | undefined {
  if (row === null) return;
  const update = (): void => {
    const left = row.scrollLeft > 1;
    const right = row.scrollLeft + row.clientWidth < row.scrollWidth - 1;
    row.dataset["more"] = `${left ? "left" : ""} ${right ? "right" : ""}`.trim();
  };
  const observer = new ResizeObserver(update);
  observer.observe(row);
  for (const child of row.children) observer.observe(child);
  row.addEventListener("scroll", update, { passive: true });
  return () => {
    observer.disconnect();
    row.removeEventListener("scroll", update);
  };
}
