/** The user's local day, by which spending is counted. */
export function spendDay(ms: number): string {
  const date = new Date(ms);
  const twoDigits = (part: number): string => String(part).padStart(2, "0");
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`;
}
