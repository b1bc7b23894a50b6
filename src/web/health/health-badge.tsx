import type { ReactNode } from "react";
import { Icon, type IconName } from "../components/icon.tsx";

export type HealthTone = "ok" | "warn" | "fail" | "skipped";

const SHAPES: Readonly<Record<HealthTone, IconName>> = {
  ok: "check",
  warn: "bang",
  fail: "cross",
  skipped: "dash",
};

/** Text with a shape, in the colour of the tone. */
export function HealthBadge({ tone, children }: { readonly tone: HealthTone; readonly children: ReactNode }) {
  return (
    <span className={`health-mark ${tone}`}>
      <span className="shape">
        <Icon name={SHAPES[tone]} />
      </span>
      <span>{children}</span>
    </span>
  );
}
