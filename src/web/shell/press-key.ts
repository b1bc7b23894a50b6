// Keys of elements on the page: an element declares its own with `data-key`, a card with `data-answer`.

/** A page's own key: focuses a field, and clicks everything else. */
export function pressPageKey(event: KeyboardEvent, key: string): void {
  const target = findKey(key);
  if (target === null) return;
  if (key === " ") {
    // The space bar belongs to the focused element.
    if (event.target instanceof Element && event.target.closest("a,button,summary,input") !== null) return;
  }
  // Keeps the letter from being typed into the field.
  event.preventDefault();
  if (isTyping(target)) target.focus();
  else target.click();
}

function findKey(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`main [data-key='${CSS.escape(key)}']:not(:disabled)`);
}

export function focusedCard(): HTMLElement | null {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement)) return null;
  // The scrollable text is part of its card.
  const card = focused.matches(".shown-box") ? focused.closest<HTMLElement>("[data-answerable]") : focused;
  return card?.dataset["answerable"] === undefined ? null : card;
}

/**
 * Answers with one key: only the card that has the focus, and only once its request has been fully visible
 * for a moment. A key pressed too early, or held down, answers nothing. Returns whether the key belongs to the card.
 */
export function pressAnswer(event: KeyboardEvent, key: string): boolean {
  const card = focusedCard();
  const target = card?.querySelector<HTMLElement>(`[data-answer='${CSS.escape(key)}']:not(:disabled)`);
  if (card === null || target === null || target === undefined) return false;
  if (card.dataset["answerable"] !== "yes" || event.repeat) return true;
  event.preventDefault();
  // An option of a question is selected but not sent yet.
  if (target instanceof HTMLInputElement) target.focus();
  target.click();
  return true;
}

export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLInputElement) return !/^(checkbox|radio|range|button|submit)$/.test(target.type);
  return target.isContentEditable || /^(TEXTAREA|SELECT)$/.test(target.tagName);
}

/** Leaves a field, so that keys work as shortcuts again; the browser clears a search first. */
export function leaveField({ target, defaultPrevented }: KeyboardEvent): void {
  if (defaultPrevented || !isTyping(target) || document.querySelector("dialog[open]") !== null) return;
  if (target instanceof HTMLInputElement && target.type === "search" && target.value !== "") return;
  document.getElementById("content")?.focus({ preventScroll: true });
}

/** The Latin letter of the key, even with a Korean input method. */
export function toLatinKey({ key, code, shiftKey }: KeyboardEvent): string {
  if (!/^[\u3131-\u3163]$/.test(key) || !code.startsWith("Key")) return key;
  const letter = code.slice(3);
  return shiftKey ? letter : letter.toLowerCase();
}
