import type { ReactNode } from "react";
import { Icon, type IconName } from "../parts/icon.tsx";

export type Tone = "ok" | "warn" | "fail" | "skipped";

const SHAPES: Readonly<Record<Tone, IconName>> = {
  ok: "check",
  warn: "bang",
  fail: "cross",
  skipped: "dash",
};

/** A shape and a word, in the colour of the tone. */
export function Mark({ tone, children }: { readonly tone: Tone; readonly children: ReactNode }) {
  return (
    <span className={`health-mark ${tone}`}>
      <span className="shape">
        <Icon name={SHAPES[tone]} />
      </span>
      <span>{children}</span>
    </span>
  );
}
