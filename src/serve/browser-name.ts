/** What a person calls the browser that says this of itself: for a list of logins, never for a decision. */
export function browserName(userAgent: string): string {
  const name = BROWSERS.find(([mark]) => userAgent.includes(mark))?.[1];
  const system = SYSTEMS.find(([mark]) => userAgent.includes(mark))?.[1];
  if (name === undefined) return userAgent.replace(/[^\x20-\x7e]/g, "").slice(0, 40) || "unknown";
  return system === undefined ? name : `${name}, ${system}`;
}

/** The first that fits: all but the last name others as well. */
const BROWSERS: readonly (readonly [string, string])[] = [
  ["Edg/", "Edge"],
  ["OPR/", "Opera"],
  ["Firefox/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["Safari/", "Safari"],
];

const SYSTEMS: readonly (readonly [string, string])[] = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
];
