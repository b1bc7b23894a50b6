import { Component, type ReactNode } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useStrings } from "../i18n/strings.ts";

/** Shows an error in place of a page and keeps the frame. Resets when `resetKey` changes. */
export class ErrorBoundary extends Component<
  { readonly resetKey: string; readonly children: ReactNode },
  { readonly error: Error | null }
> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate(previous: { readonly resetKey: string }): void {
    if (previous.resetKey !== this.props.resetKey && this.state.error !== null)
      this.setState({ error: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <PageError error={error} />;
  }
}

function PageError({ error }: { readonly error: Error }) {
  const { app } = useStrings();
  return (
    <section role="alert">
      <h1>{app.pageCrashed}</h1>
      <p>{fill(app.failed, { why: visibleText(error.message) })}</p>
      <p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {app.tryAgain}
        </button>
      </p>
    </section>
  );
}
