import { Component, type ReactNode } from "react";
import { visibleText } from "../../shown/visible-text.ts";
import { fill, useWords } from "../words/words.ts";

/** What a page throws is said in its place: the frame and the other pages stay. `of` is the address it was drawn for. */
export class Mishap extends Component<
  { readonly of: string; readonly children: ReactNode },
  { readonly error: Error | null }
> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError(error: unknown): { error: Error } {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate(before: { readonly of: string }): void {
    if (before.of !== this.props.of && this.state.error !== null) this.setState({ error: null });
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <Told error={error} />;
  }
}

function Told({ error }: { readonly error: Error }) {
  const { app } = useWords();
  return (
    <section role="alert">
      <h1>{app.mishap}</h1>
      <p>{fill(app.failed, { why: visibleText(error.message) })}</p>
      <p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {app.again}
        </button>
      </p>
    </section>
  );
}
