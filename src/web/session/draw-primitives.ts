/** A colour or font of the page, by the name of its variable. */
export type Ink = (name: string) => string;

/** A wait for a person is hatched: nothing ran, a person was missing. */
export function drawHatching(
  pen: CanvasRenderingContext2D,
  ink: Ink,
  from: number,
  to: number,
  top: number,
  tall: number,
): void {
  const wide = Math.max(2, to - from);
  pen.save();
  pen.beginPath();
  pen.rect(from, top + 1, wide, tall - 1);
  pen.clip();
  pen.fillStyle = ink("--ask-soft");
  pen.fillRect(from, top, wide, tall);
  pen.strokeStyle = ink("--ask");
  const left = Math.max(from, -tall);
  for (let at = left - tall; at < Math.min(from + wide, 6_000); at += 6)
    drawLine(pen, at, top + tall, at + tall, top);
  pen.restore();
}

export function drawText(
  pen: CanvasRenderingContext2D,
  ink: Ink,
  text: string,
  at: number,
  base: number,
  name: string,
  weight: number,
): void {
  pen.fillStyle = ink(name);
  pen.font = `${weight} 11px ${ink("--sans")}`;
  pen.fillText(text, at, base);
}

export function drawLine(
  pen: CanvasRenderingContext2D,
  x1: number,
  y1: number,
  x2: number,
  y2: number,
): void {
  pen.beginPath();
  pen.moveTo(x1, y1);
  pen.lineTo(x2, y2);
  pen.stroke();
}
