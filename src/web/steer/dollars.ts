/** What Claude Code itself counts: small amounts keep their cents' parts. */
export function dollars(usd: number): string {
  return `$${usd.toFixed(usd > 0 && usd < 0.1 ? 4 : 2)}`;
}
