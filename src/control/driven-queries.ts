import type { Card, DrivenSession } from "./control-contract.ts";
import type { DrivenSessions } from "./control-ports.ts";
import { foldCards } from "./driven-cards.ts";
import { unknownSession } from "./find-session.ts";
import type { Journal } from "./journal.ts";
import type { Journals } from "./journals.ts";
import type { LiveSession } from "./live-session.ts";
import type { LiveSessions } from "./live-sessions.ts";
import type { LostCards } from "./lost-cards.ts";
import { describePastSession, foldPastSession } from "./past-session.ts";

/** Sources of driven sessions: those of this process, stored ones, and lost requests. */
export interface DrivenParts {
  readonly live: LiveSessions;
  readonly journals: Journals;
  readonly lost: LostCards;
  /** Resolves when `lost` is complete. */
  readonly recovered: Promise<void>;
}

type DrivenQueries = Pick<DrivenSessions, "list" | "get" | "live" | "cards" | "card" | "attach" | "isDriven">;

export function createDrivenQueries(parts: DrivenParts): DrivenQueries {
  const { live, journals, lost, recovered } = parts;
  /** Describes a session of an earlier process, or one so old that only the store has it. */
  const readPastSession = (sessionId: string): Promise<DrivenSession | undefined> =>
    journals.find(sessionId, async (journal) =>
      describePastSession(sessionId, journal.location(), foldPastSession(await journal.read(0))),
    );
  return {
    list: () => live.all().map((session) => session.toSession()),
    get: async (sessionId) => live.get(sessionId)?.toSession() ?? readPastSession(sessionId),
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
      return { snapshot: snapshot ?? (await readPastSession(sessionId))!, close: detach };
    },
    isDriven: (claudeSessionId) => live.all().some((session) => isDriving(session, claudeSessionId)),
  };
}

/** All requests of a session, as stored. */
export async function readCards(sessionId: string, journal: Journal): Promise<Map<string, Card>> {
  return foldCards(sessionId, journal.location(), await journal.read(0));
}

/** A pending request comes raw and whole from its session; the journal has masked copies of settled ones. */
async function findCard(
  { live, lost, recovered }: DrivenParts,
  requestId: string,
  ofSession: string | undefined,
): Promise<Card | undefined> {
  await recovered;
  const sessions = live.all().filter(({ sessionId }) => ofSession === undefined || sessionId === ofSession);
  const pending = sessions
    .map((session) => session.pendingCard(requestId))
    .find((card) => card !== undefined);
  const openCard = pending ?? lost.find(requestId, ofSession);
  if (openCard !== undefined) return openCard;
  for (const { sessionId, journal } of sessions) {
    const settledCard = (await readCards(sessionId, journal)).get(requestId);
    if (settledCard !== undefined) return settledCard;
  }
  return undefined;
}

function isDriving({ sessionId, driver }: LiveSession, claudeSessionId: string): boolean {
  const { lifecycle, init } = driver.state();
  return (
    lifecycle !== "closed" && (sessionId === claudeSessionId || init?.claudeSessionId === claudeSessionId)
  );
}
