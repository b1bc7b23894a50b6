export interface Program {
  readonly file: string;
  readonly args: readonly string[];
}

export interface DesktopNotification {
  /** Must not start with a dash: agent text must never be parsed as an option. */
  readonly title: string;
  readonly body: string;
}

const OSASCRIPT = [
  "on run argv",
  "display notification (item 2 of argv) with title (item 1 of argv)",
  "end run",
].flatMap((line) => ["-e", line]);

/** Texts are separate arguments, never part of a script. */
export function toOsascript(file: string, { title, body }: DesktopNotification): Program {
  return { file, args: [...OSASCRIPT, title, body] };
}

export function toNotifySend(file: string, { title, body }: DesktopNotification): Program {
  return { file, args: ["--app-name=Hookline", "--", title, escapeMarkup(body)] };
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** Notification servers parse the body as markup, but not the title. */
function escapeMarkup(text: string): string {
  return text.replace(/[&<>]/g, (character) => ENTITIES[character]!);
}
