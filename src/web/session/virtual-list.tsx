import {
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useMemo,
  useRef,
  useState,
} from "react";

export interface ListHandle {
  scrollTo(index: number): void;
  /** The first row that is at least partly visible. */
  firstShown(): number;
}

const OVERSCAN_PX = 700;
const STEP_PX = 300;
const MAX_TRIES = 6;

/** A long list in the page's own scroll: only rows near the window are rendered, and measured then. */
export function VirtualList<T>({
  items,
  keyOf,
  render,
  estimate,
  handle,
}: {
  readonly items: readonly T[];
  readonly keyOf: (item: T) => string;
  readonly render: (item: T, index: number) => ReactNode;
  readonly estimate: (item: T) => number;
  readonly handle?: Ref<ListHandle>;
}) {
  const box = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<string, number>());
  const [version, setVersion] = useState(0);
  const [view, setView] = useState<readonly [number, number]>([0, 1_200]);

  // Expensive with 20,000 rows, so not at every scroll step.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the version changes with the heights
  const tops = useMemo(() => {
    const offsets = new Float64Array(items.length + 1);
    for (const [index, item] of items.entries())
      offsets[index + 1] = offsets[index]! + (heights.current.get(keyOf(item)) ?? estimate(item));
    return offsets;
  }, [items, version]);
  const rowAt = (y: number): number => {
    let [low, high] = [0, Math.max(0, items.length - 1)];
    while (low < high) {
      const mid = (low + high + 1) >> 1;
      if (tops[mid]! <= y) low = mid;
      else high = mid - 1;
    }
    return low;
  };
  const from = rowAt(view[0] - OVERSCAN_PX);
  const to = Math.min(items.length, rowAt(view[1] + OVERSCAN_PX) + 1);

  useEffect(() => {
    let frame = 0;
    const updateView = (): void => {
      frame = 0;
      const top = box.current?.getBoundingClientRect().top ?? 0;
      // Small moves within the rendered range change nothing.
      const viewTop = Math.floor(-top / STEP_PX) * STEP_PX;
      setView((previous) =>
        previous[0] === viewTop ? previous : [viewTop, viewTop + innerHeight + STEP_PX],
      );
    };
    const scheduleUpdate = (): void => {
      if (frame === 0) frame = requestAnimationFrame(updateView);
    };
    updateView();
    addEventListener("scroll", scheduleUpdate, { passive: true });
    addEventListener("resize", scheduleUpdate);
    return () => {
      cancelAnimationFrame(frame);
      removeEventListener("scroll", scheduleUpdate);
      removeEventListener("resize", scheduleUpdate);
    };
  }, []);

  const [observer] = useState(
    () =>
      new ResizeObserver((entries) => {
        let isChanged = false;
        for (const { target } of entries) {
          const key = (target as HTMLElement).dataset["item"]!;
          const height = (target as HTMLElement).offsetHeight;
          if (height === 0 || heights.current.get(key) === height) continue;
          heights.current.set(key, height);
          isChanged = true;
        }
        if (isChanged) setVersion((version) => version + 1);
      }),
  );
  useEffect(() => () => observer.disconnect(), [observer]);
  const observe = useCallback(
    (row: HTMLElement | null) => {
      if (row === null) return;
      observer.observe(row);
      return () => observer.unobserve(row);
    },
    [observer],
  );

  const latest = useRef({ items, tops, rowAt });
  latest.current = { items, tops, rowAt };
  useImperativeHandle(handle, () => ({
    scrollTo(index) {
      let tries = 0;
      const scrollStep = (): void => {
        const { items: currentItems, tops: offsets } = latest.current;
        const item = currentItems[index];
        if (item === undefined || box.current === null) return;
        const row = box.current.querySelector<HTMLElement>(`[data-item="${CSS.escape(keyOf(item))}"]`);
        const boxTop = box.current.getBoundingClientRect().top + scrollY;
        const rowTop = row === null ? boxTop + offsets[index]! : row.getBoundingClientRect().top + scrollY;
        const target = Math.max(0, rowTop - stickyHeight());
        if (Math.abs(target - scrollY) > 2) scrollTo({ top: target, behavior: "instant" });
        // Heights of the rows in between are known only now.
        if (++tries < MAX_TRIES) requestAnimationFrame(scrollStep);
      };
      scrollStep();
    },
    firstShown() {
      const top = box.current?.getBoundingClientRect().top ?? 0;
      return latest.current.rowAt(stickyHeight() - top + 4);
    },
  }));

  return (
    <div ref={box} className="virtual-list">
      <div style={{ height: tops[from] ?? 0 }} />
      {items.slice(from, to).map((item, index) => (
        <div key={keyOf(item)} ref={observe} data-item={keyOf(item)} className="virtual-row">
          {render(item, from + index)}
        </div>
      ))}
      <div style={{ height: tops[items.length]! - tops[to]! }} />
    </div>
  );
}

/** The height of the sticky elements at the top. */
function stickyHeight(): number {
  let bottom = 0;
  for (const element of document.querySelectorAll(".frame > .top, .session-page > .tabs"))
    if (getComputedStyle(element).position === "sticky") bottom += (element as HTMLElement).offsetHeight;
  return bottom + 12;
}
