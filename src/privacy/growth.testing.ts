/**
 * Measures how many times longer `run` takes on eight times the text: 8 is linear, 64 quadratic. Retries a
 * bad result, since a busy machine distorts single measurements.
 */
export function growth(run: (text: string) => unknown, part: string, length: number): number {
  const small = part.repeat(Math.ceil(length / part.length));
  const large = part.repeat(Math.ceil((length * 8) / part.length));
  let best = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < 20 && best > 16; attempt++) {
    run(small);
    // Below 0.2 ms the clock and the compiler dominate, not the text.
    best = Math.min(best, time(run, large) / Math.max(time(run, small), 0.2));
  }
  return best;
}

function time(run: (text: string) => unknown, text: string): number {
  const start = performance.now();
  run(text);
  return performance.now() - start;
}
