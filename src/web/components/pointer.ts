// The last known pointer position, to prevent elements from moving under it.

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

/** How long the pointer has not moved. */
export function pointerIdleMs(): number {
  return performance.now() - movedAtMs;
}

/** Whether removing this element would move something under the pointer. */
export function wouldShiftUnderPointer(element: HTMLElement): boolean {
  if (at === null) return false;
  const { left, right, top } = element.getBoundingClientRect();
  return at.x >= left && at.x <= right && at.y >= top;
}
