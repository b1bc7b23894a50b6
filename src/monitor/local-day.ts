/** The day of a time in this machine's time zone, as `2026-03-14`. */
export function localDay(time: Date): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}
