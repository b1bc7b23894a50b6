import type { KeyboardEvent } from "react";

const PAGE_RATIO = 0.85;
const LINE_PX = 40;

/** Scrolls the text of the focused card. */
export function scrollByKeys(event: KeyboardEvent<HTMLElement>): void {
  if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
  const box = event.currentTarget.querySelector<HTMLElement>(".shown-box.scrolls");
  if (box === null) return;
  const page = box.clientHeight * PAGE_RATIO;
  const delta = { PageDown: page, PageUp: -page, ArrowDown: LINE_PX, ArrowUp: -LINE_PX }[event.key];
  if (event.key === "End") box.scrollTop = box.scrollHeight;
  else if (event.key === "Home") box.scrollTop = 0;
  else if (delta !== undefined) box.scrollTop += delta;
  else return;
  event.preventDefault();
}
