/** A colour or font of the page, by the name of its variable. */
export type StyleLookup = (name: string) => string;

/** Hatches the time in which a session waited for a person. */
export function drawHatching(
  context: CanvasRenderingContext2D,
  style: StyleLookup,
  from: number,
  to: number,
  top: number,
  height: number,
): void {
  const width = Math.max(2, to - from);
  context.save();
  context.beginPath();
  context.rect(from, top + 1, width, height - 1);
  context.clip();
  context.fillStyle = style("--ask-soft");
  context.fillRect(from, top, width, height);
  context.strokeStyle = style("--ask");
  const left = Math.max(from, -height);
  for (let x = left - height; x < Math.min(from + width, 6_000); x += 6)
    drawLine(context, x, top + height, x + height, top);
  context.restore();
}

export function drawText(
  context: CanvasRenderingContext2D,
  style: StyleLookup,
  text: string,
  x: number,
  baseline: number,
  color: string,
  weight: number,
): void {
  context.fillStyle = style(color);
  context.font = `${weight} 11px ${style("--sans")}`;
  context.fillText(text, x, baseline);
}

export function drawLine(
  context: CanvasRenderingContext2D,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
): void {
  context.beginPath();
  context.moveTo(x1, y1);
  context.lineTo(x2, y2);
  context.stroke();
}
