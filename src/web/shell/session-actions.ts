import type { SessionSnapshot } from "../../serve/contract.ts";
import { muted, starred } from "../components/marks.ts";
import type { Strings } from "../i18n/en.ts";
import { resumeCommand } from "../session/resume-command.ts";
import { showToast } from "./toast.tsx";

/** Actions on a session from anywhere: by key on a row, and from the palette. */
export const SESSION_ACTIONS = [
  {
    key: "c",
    name: (strings: Strings) => strings.session.copyResume,
    can: (session: SessionSnapshot) => resumeCommand(session) !== null,
    act: (session: SessionSnapshot, strings: Strings) => copy(resumeCommand(session) ?? "", strings),
  },
  {
    key: "w",
    name: (strings: Strings) => strings.session.copyLink,
    can: () => true,
    act: (session: SessionSnapshot, strings: Strings) =>
      copy(`${location.origin}/s/${encodeURIComponent(session.sessionId)}`, strings),
  },
  {
    key: "s",
    name: (strings: Strings) => strings.marks.star,
    can: () => true,
    act: ({ sessionId }: SessionSnapshot, { marks }: Strings) =>
      showToast(starred.toggle(sessionId) ? marks.starred : marks.unstarred),
  },
  {
    key: "m",
    name: (strings: Strings) => strings.marks.mute,
    can: () => true,
    act: ({ sessionId }: SessionSnapshot, { marks }: Strings) =>
      showToast(muted.toggle(sessionId) ? marks.muted : marks.unmuted),
  },
] as const;

function copy(text: string, strings: Strings): void {
  navigator.clipboard.writeText(text).then(
    () => showToast(`${strings.app.copied}: ${text}`),
    (error: Error) => showToast(error.message),
  );
}
