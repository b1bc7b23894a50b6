import { randomUUID } from "node:crypto";
import { z } from "zod";
import { Card, type CardAnswer, CardList, DrivenSession } from "../control/control-contract.ts";
import type { Home } from "../home.ts";
import { hashShown, type ShownPart } from "../shown/show-request.ts";
import { askOrFail } from "./ask-or-fail.ts";

/** Starting a session includes finding the claude program, which takes a while on a busy machine. */
const TIMEOUT_MS = 60_000;

/** Sends a `POST` with its own command id, or a `GET` when there is no body. */
export function askControl<T>(home: Home, schema: z.ZodType<T>, path: string, body?: object): Promise<T> {
  const options = body === undefined ? {} : { method: "POST", body };
  return askOrFail(home, schema, `/api/control${path}`, { ...options, timeoutMs: TIMEOUT_MS });
}

/** Sends a command to one session, with an id that makes retries harmless. */
export function sendSessionCommand(
  home: Home,
  sessionId: string,
  command: string,
  body: object = {},
): Promise<unknown> {
  const path = `/sessions/${encodeURIComponent(sessionId)}/${command}`;
  return askControl(home, z.unknown(), path, { commandId: randomUUID(), ...body });
}

/** Finds a session, open or closed, by its id, Claude's id for it, or a prefix of either. */
export async function findDrivenSessionId(home: Home, id: string): Promise<string> {
  return (await askControl(home, DrivenSession, `/sessions/${encodeURIComponent(id)}`)).sessionId;
}

/** Cards of all sessions, or of one. */
export function listCards(home: Home, sessionId?: string): Promise<z.infer<typeof CardList>> {
  const query = sessionId === undefined ? "" : `?${new URLSearchParams({ session: sessionId })}`;
  return askControl(home, CardList, `/cards${query}`);
}

/** Answers exactly what was rendered: the hash covers these parts. */
export async function answerCard(
  home: Home,
  id: string,
  parts: readonly ShownPart[],
  answer: CardAnswer,
): Promise<Card> {
  const shown = await hashShown(parts);
  const body = { ...answer, shown, commandId: randomUUID() };
  return askControl(home, Card, `/cards/${encodeURIComponent(id)}/answer`, body);
}
