import { locale } from "../i18n/locale.ts";
import { drawLine, drawText, type StyleLookup } from "./draw-primitives.ts";
import type { SqueezedTime, VisibleRange } from "./squeezed-time.ts";

const STEPS = [1, 5, 15, 30, 60, 300, 900, 1_800, 3_600, 10_800, 21_600, 86_400].map((s) => s * 1_000);

/** Draws the time axis along the top. */
export function drawAxis(
  context: CanvasRenderingContext2D,
  style: StyleLookup,
  { time, view, width }: { readonly time: SqueezedTime; readonly view: VisibleRange; readonly width: number },
  x: (ms: number) => number,
): void {
  const perPixel = (view.to - view.from) / width;
  const step = STEPS.find((ms) => ms / perPixel >= 90) ?? STEPS.at(-1)!;
  // Steps in pixels, not in time: a squeezed gap may be days.
  for (let px = 0; px < width - 40; ) {
    const ms = Math.ceil(time.fromOffset(view.from + px * perPixel) / step) * step;
    const tickX = x(ms);
    px = Math.max(px, tickX) + 80;
    if (tickX > width - 40) break;
    context.strokeStyle = style("--line-strong");
    drawLine(context, tickX, 12, tickX, 17);
    const text = new Date(ms).toLocaleTimeString(locale().tag, {
      hour: "2-digit",
      minute: "2-digit",
      ...(step < 60_000 && { second: "2-digit" }),
      hourCycle: "h23",
    });
    drawText(context, style, text, Math.max(2, tickX + 3), 10, "--text-3", 400);
  }
}
