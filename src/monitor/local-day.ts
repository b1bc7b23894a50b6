/** The day of a time in this machine's time zone, as `2026-03-14`. */
export function localDay(time: Date): string {
  const twoDigits = (value: number): string => String(value).padStart(2, "0");
  return `${time.getFullYear()}-${twoDigits(time.getMonth() + 1)}-${twoDigits(time.getDate())}`;
}
