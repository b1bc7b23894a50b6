import { isKnown, type ShellCommand } from "../shell/shell-reading.ts";

/** Whether nothing is written except to `/dev/null` or a descriptor. `mayRead` checks what `<` reads. */
export function hasHarmlessRedirects(command: ShellCommand, mayRead: (text: string) => boolean): boolean {
  return command.redirects.every(({ operator, target }) => {
    if (target === null) return true;
    if (target.isGlob || target.isSplit || target.holdsNumber) return false;
    if (target.text === "/dev/null") return operator !== "<>";
    if (operator.endsWith("&") && /^(?:\d|-)$/.test(target.text)) return true;
    if (operator !== "<" || /^\/dev\/(?:tcp|udp)(?:\/|$)/.test(target.text)) return false;
    return target.isProcess || (isKnown(target) && mayRead(target.text));
  });
}
