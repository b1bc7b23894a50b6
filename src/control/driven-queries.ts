import type { Card, DrivenSession } from "./control-contract.ts";
import type { DrivenSessions } from "./control-ports.ts";
import { foldCards } from "./driven-cards.ts";
import { unknownSession } from "./find-session.ts";
import type { Journal } from "./journal.ts";
import type { Journals } from "./journals.ts";
import type { LiveSession } from "./live-session.ts";
import type { LiveSessions } from "./live-sessions.ts";
import type { LostCards } from "./lost-cards.ts";
import { foldLife, toPastSession } from "./past-life.ts";

/** Where driven sessions are known: those of this process, what is kept of all, and what was lost. */
export interface DrivenParts {
  readonly live: LiveSessions;
  readonly journals: Journals;
  readonly lost: LostCards;
  /** Resolves when `lost` is known. */
  readonly recovered: Promise<void>;
}

type DrivenQueries = Pick<DrivenSessions, "list" | "get" | "live" | "cards" | "card" | "attach" | "isDriven">;

export function createDrivenQueries(parts: DrivenParts): DrivenQueries {
  const { live, journals, lost, recovered } = parts;
  /** Of an earlier life, or so long ago that only the store knows it. */
  const past = (sessionId: string): Promise<DrivenSession | undefined> =>
    journals.find(sessionId, async (journal) =>
      toPastSession(sessionId, journal.place(), foldLife(await journal.read(0))),
    );
  return {
    list: () => live.all().map((session) => session.toSession()),
    get: async (sessionId) => live.get(sessionId)?.toSession() ?? past(sessionId),
    live: (sessionId) => live.get(sessionId)?.toSession(),
    cards: () => [...lost.all(), ...live.all().flatMap((session) => session.toSession().pending)],
    card: (requestId, ofSession) => findCard(parts, requestId, ofSession),
    async attach(sessionId, after, onEnvelope) {
      await recovered;
      let snapshot: DrivenSession | undefined;
      const detach = await journals.find(sessionId, (journal) =>
        journal.attach(after, onEnvelope, () => {
          snapshot = live.get(sessionId)?.toSession();
        }),
      );
      if (detach === undefined) throw unknownSession(sessionId);
      return { snapshot: snapshot ?? (await past(sessionId))!, close: detach };
    },
    isDriven: (claudeSessionId) => live.all().some((session) => isDriving(session, claudeSessionId)),
  };
}

/** All requests of a session, as they are kept. */
export async function cardsOf(sessionId: string, journal: Journal): Promise<Map<string, Card>> {
  return foldCards(sessionId, journal.place(), await journal.read(0));
}

/** A pending request comes raw and whole from its session; the journal has masked copies of what is over. */
async function findCard(
  { live, lost, recovered }: DrivenParts,
  requestId: string,
  ofSession: string | undefined,
): Promise<Card | undefined> {
  await recovered;
  const sessions = live.all().filter(({ sessionId }) => ofSession === undefined || sessionId === ofSession);
  const pending = sessions.map((session) => session.pendingCard(requestId)).find((one) => one !== undefined);
  const known = pending ?? lost.find(requestId, ofSession);
  if (known !== undefined) return known;
  for (const { sessionId, journal } of sessions) {
    const over = (await cardsOf(sessionId, journal)).get(requestId);
    if (over !== undefined) return over;
  }
  return undefined;
}

function isDriving({ sessionId, driver }: LiveSession, claudeSessionId: string): boolean {
  const { life, init } = driver.state();
  return life !== "closed" && (sessionId === claudeSessionId || init?.claudeSessionId === claudeSessionId);
}
