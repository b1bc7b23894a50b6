/** Which clients a person is viewing right now, and which requests they show. */
export interface Viewers {
  /** Sent when a page gets focus or changes its content, and every few seconds while it has focus. */
  update(view: View): void;
  remove(viewer: string): void;
  /** Whether a request of that session would be seen immediately. */
  isWatching(sessionId: string): boolean;
  /** Whether that request is on a screen. */
  isShowing(requestId: string): boolean;
}

export interface View {
  readonly viewer: string;
  /** The only session it shows; null for all. */
  readonly sessionId: string | null;
  readonly requests: readonly string[];
}

/** A closed or suspended client sends nothing, so clients must keep reporting that they are visible. */
const VIEW_TTL_MS = 7_000;
const MAX_VIEWERS = 200;

export function createViewers(nowMs: () => number): Viewers {
  const views = new Map<string, { readonly view: View; readonly atMs: number }>();
  const anyView = (matches: (view: View) => boolean): boolean => {
    const fromMs = nowMs() - VIEW_TTL_MS;
    for (const [viewer, { view, atMs }] of views) {
      if (atMs < fromMs) views.delete(viewer);
      else if (matches(view)) return true;
    }
    return false;
  };
  return {
    update(view) {
      const [oldest] = views.keys();
      if (views.size >= MAX_VIEWERS && oldest !== undefined) views.delete(oldest);
      views.delete(view.viewer);
      views.set(view.viewer, { view, atMs: nowMs() });
    },
    remove: (viewer) => void views.delete(viewer),
    isWatching: (sessionId) => anyView((view) => view.sessionId === null || view.sessionId === sessionId),
    isShowing: (requestId) => anyView((view) => view.requests.includes(requestId)),
  };
}
