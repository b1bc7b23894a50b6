import type { SessionSnapshot } from "../../serve/contract.ts";
import { muted, starred } from "../components/marks.ts";
import type { Strings } from "../i18n/en.ts";
import { resumeCommand } from "../session/resume-command.ts";
import { showToast } from "./toast.tsx";

/** Actions on a session from anywhere: by key on a row, and from the palette. */
export const SESSION_ACTIONS = [
  {
    key: "c",
    name: (words: Strings) => words.session.copyResume,
    can: (session: SessionSnapshot) => resumeCommand(session) !== null,
    act: (session: SessionSnapshot, words: Strings) => copy(resumeCommand(session) ?? "", words),
  },
  {
    key: "w",
    name: (words: Strings) => words.session.copyLink,
    can: () => true,
    act: (session: SessionSnapshot, words: Strings) =>
      copy(`${location.origin}/s/${encodeURIComponent(session.sessionId)}`, words),
  },
  {
    key: "s",
    name: (words: Strings) => words.marks.star,
    can: () => true,
    act: ({ sessionId }: SessionSnapshot, { marks }: Strings) =>
      showToast(starred.toggle(sessionId) ? marks.starred : marks.unstarred),
  },
  {
    key: "m",
    name: (words: Strings) => words.marks.mute,
    can: () => true,
    act: ({ sessionId }: SessionSnapshot, { marks }: Strings) =>
      showToast(muted.toggle(sessionId) ? marks.muted : marks.unmuted),
  },
] as const;

function copy(text: string, words: Strings): void {
  navigator.clipboard.writeText(text).then(
    () => showToast(`${words.app.copied}: ${text}`),
    (error: Error) => showToast(error.message),
  );
}
