/** The user's local day, by which spending is counted. */
export function spendDay(ms: number): string {
  const at = new Date(ms);
  const two = (part: number): string => String(part).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}
