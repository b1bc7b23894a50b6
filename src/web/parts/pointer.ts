// Where the pointer is, or was last: what must not come under a hand is measured against it.

let movedAtMs = 0;
let at: { readonly x: number; readonly y: number } | null = null;
for (const kind of ["pointermove", "pointerdown"] as const)
  addEventListener(
    kind,
    ({ clientX: x, clientY: y }) => {
      at = { x, y };
      movedAtMs = performance.now();
    },
    { passive: true, capture: true },
  );

/** How long it has been where it is. */
export function pointerRestsMs(): number {
  return performance.now() - movedAtMs;
}

/** Whether something would slide under the pointer if this element were no longer there. */
export function wouldSlide(element: HTMLElement): boolean {
  if (at === null) return false;
  const { left, right, top } = element.getBoundingClientRect();
  return at.x >= left && at.x <= right && at.y >= top;
}
