import type { SessionSnapshot } from "../../serve/contract.ts";
import { muted, starred } from "../parts/marks.ts";
import { resumeCommand } from "../session/resume-command.ts";
import type { Words } from "../words/en.ts";
import { tell } from "./told.tsx";

/** What can be done with a session from anywhere: by its key on a row, and from the palette. */
export const SESSION_ACTS = [
  {
    key: "c",
    name: (words: Words) => words.session.copyResume,
    can: (session: SessionSnapshot) => resumeCommand(session) !== null,
    act: (session: SessionSnapshot, words: Words) => copy(resumeCommand(session) ?? "", words),
  },
  {
    key: "w",
    name: (words: Words) => words.session.copyLink,
    can: () => true,
    act: (session: SessionSnapshot, words: Words) =>
      copy(`${location.origin}/s/${encodeURIComponent(session.sessionId)}`, words),
  },
  {
    key: "s",
    name: (words: Words) => words.marks.star,
    can: () => true,
    act: ({ sessionId }: SessionSnapshot, { marks }: Words) =>
      tell(starred.toggle(sessionId) ? marks.starred : marks.unstarred),
  },
  {
    key: "m",
    name: (words: Words) => words.marks.mute,
    can: () => true,
    act: ({ sessionId }: SessionSnapshot, { marks }: Words) =>
      tell(muted.toggle(sessionId) ? marks.muted : marks.unmuted),
  },
] as const;

function copy(text: string, words: Words): void {
  navigator.clipboard.writeText(text).then(
    () => tell(`${words.app.copied}: ${text}`),
    (error: Error) => tell(error.message),
  );
}
