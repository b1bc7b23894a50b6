/**
 * For tests of linear work: how many times longer `run` takes on eight times the text. 8 is linear, 64 square.
 * A busy machine makes single figures lie, so a bad one is measured again.
 */
export function growth(run: (text: string) => unknown, part: string, length: number): number {
  const small = part.repeat(Math.ceil(length / part.length));
  const large = part.repeat(Math.ceil((length * 8) / part.length));
  let least = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 20 && least > 16; attempt++) {
    run(small);
    // Below a fifth of a millisecond the clock and the compiler decide, not the text.
    least = Math.min(least, time(run, large) / Math.max(time(run, small), 0.2));
  }
  return least;
}

function time(run: (text: string) => unknown, text: string): number {
  const start = performance.now();
  run(text);
  return performance.now() - start;
}
