import type { ReactNode } from "react";

export type Tone = "ok" | "warn" | "fail" | "skipped";

const SHAPES: Readonly<Record<Tone, string>> = { ok: "✓", warn: "!", fail: "✕", skipped: "–" };

/** A shape and a word, in the colour of the tone. */
export function Mark({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`health-mark ${tone}`}>
      <span className="shape" aria-hidden="true">
        {SHAPES[tone]}
      </span>
      <span>{children}</span>
    </span>
  );
}
