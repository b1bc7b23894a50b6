import { locale } from "../words/locale.ts";
import { type Ink, line, write } from "./draw-marks.ts";
import type { SqueezedTime, View } from "./squeezed-time.ts";

const STEPS = [1, 5, 15, 30, 60, 300, 900, 1_800, 3_600, 10_800, 21_600, 86_400].map((s) => s * 1_000);

/** The clock along the top. */
export function drawAxis(
  pen: CanvasRenderingContext2D,
  ink: Ink,
  { time, view, width }: { readonly time: SqueezedTime; readonly view: View; readonly width: number },
  x: (ms: number) => number,
): void {
  const perPixel = (view.to - view.from) / width;
  const step = STEPS.find((ms) => ms / perPixel >= 90) ?? STEPS.at(-1)!;
  // Along the picture, not along the time: a squeezed silence may be days.
  for (let px = 0; px < width - 40; ) {
    const ms = Math.ceil(time.toMsAt(view.from + px * perPixel) / step) * step;
    const at = x(ms);
    px = Math.max(px, at) + 80;
    if (at > width - 40) break;
    pen.strokeStyle = ink("--line-strong");
    line(pen, at, 12, at, 17);
    const text = new Date(ms).toLocaleTimeString(locale().tag, {
      hour: "2-digit",
      minute: "2-digit",
      ...(step < 60_000 && { second: "2-digit" }),
      hourCycle: "h23",
    });
    write(pen, ink, text, Math.max(2, at + 3), 10, "--text-3", 400);
  }
}
