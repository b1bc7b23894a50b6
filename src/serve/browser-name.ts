/** A readable browser name from its user agent: for the list of logins, never for a decision. */
export function browserName(userAgent: string): string {
  const name = BROWSERS.find(([token]) => userAgent.includes(token))?.[1];
  const system = SYSTEMS.find(([token]) => userAgent.includes(token))?.[1];
  if (name === undefined) return userAgent.replace(/[^\x20-\x7e]/g, "").slice(0, 40) || "unknown";
  return system === undefined ? name : `${name}, ${system}`;
}

/** First match wins: all but the last also name other browsers. */
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
