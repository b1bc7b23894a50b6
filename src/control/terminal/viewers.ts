/** Which clients a person looks at right now, and which requests they have on their screens. */
export interface Viewers {
  /** Said when a page gets the focus or shows something else, and every few seconds while it keeps it. */
  looks(view: View): void;
  leaves(viewer: string): void;
  /** Whether a request of that session would be seen at once. */
  watch(sessionId: string): boolean;
  /** Whether that request is on a screen. */
  show(requestId: string): boolean;
}

export interface View {
  readonly viewer: string;
  /** The one session that it shows; null for all. */
  readonly sessionId: string | null;
  readonly requests: readonly string[];
}

/** A client that was closed or put to sleep says nothing: it must say again that it is there. */
const FRESH_MS = 7_000;
const MAX_VIEWERS = 200;

export function createViewers(nowMs: () => number): Viewers {
  const views = new Map<string, { readonly view: View; readonly atMs: number }>();
  const some = (fits: (view: View) => boolean): boolean => {
    const fromMs = nowMs() - FRESH_MS;
    for (const [viewer, { view, atMs }] of views) {
      if (atMs < fromMs) views.delete(viewer);
      else if (fits(view)) return true;
    }
    return false;
  };
  return {
    looks(view) {
      const [oldest] = views.keys();
      if (views.size >= MAX_VIEWERS && oldest !== undefined) views.delete(oldest);
      views.delete(view.viewer);
      views.set(view.viewer, { view, atMs: nowMs() });
    },
    leaves: (viewer) => void views.delete(viewer),
    watch: (sessionId) => some((view) => view.sessionId === null || view.sessionId === sessionId),
    show: (requestId) => some((view) => view.requests.includes(requestId)),
  };
}
