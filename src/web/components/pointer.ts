// The last known pointer position, to prevent elements from moving under it.

let movedAtMs = 0;
let lastPosition: { readonly x: number; readonly y: number } | null = null;
for (const type of ["pointermove", "pointerdown"] as const)
  addEventListener(
    type,
    ({ clientX: x, clientY: y }) => {
      lastPosition = { x, y };
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
  if (lastPosition === null) return false;
  const { left, right, top } = element.getBoundingClientRect();
  return lastPosition.x >= left && lastPosition.x <= right && lastPosition.y >= top;
}
