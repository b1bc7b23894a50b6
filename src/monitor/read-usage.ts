import type { UsageSource } from "../agents/usage-source.ts";
import type { HooklineEvent } from "../event/event.ts";
import { addTokens, type CostLedgers, NO_TOKENS, readLedgers } from "./cost-ledger.ts";
import { countUsage, objectOrEmpty } from "./count-usage.ts";
import type { ModelUsage } from "./session-detail.ts";
import type { Cost, Tokens } from "./session-snapshot.ts";

export interface UsageReading {
  readonly tokens: Tokens;
  readonly cost: Cost;
  readonly byModel: readonly ModelUsage[];
  readonly beyondMessages: readonly ModelUsage[];
  /** The model of the main agent's newest message, as answered. */
  readonly model: string | null;
  /** The prompt tokens of that message. */
  readonly contextTokens: number | null;
  readonly contextWindow: number | null;
}

/**
 * The agent's own totals, where it has written any, plus the messages they do not include, priced by our
 * table. Without totals, the messages alone. Messages a fork copied belong to its parent: they only show how
 * full the context is.
 */
export function readUsage(
  prices: UsageSource,
  messages: readonly HooklineEvent[],
  inherited: readonly HooklineEvent[],
  states: readonly HooklineEvent[],
): UsageReading {
  const own = messages.flatMap((event) => messageOf(prices, event, event));
  const ownIds = new Set(own.map(({ messageId }) => messageId));
  const copied = inherited
    .flatMap((event) => messageOf(prices, event, objectOrEmpty(event["data"])))
    .filter(({ messageId }) => !ownIds.has(messageId));
  const statesWithData = states.filter((event) => event["data"] != null);
  const ledgers = readLedgers(
    statesWithData.map((event) => ({ atMs: Date.parse(event.occurredAtIso), data: event["data"] })),
    prices,
    copied.reduce<number | null>((last, { atMs }) => Math.max(last ?? atMs, atMs), null),
  );
  const isCovered = ({ atMs }: Message): boolean => ledgers.covers(atMs);
  const covered = tally(own.filter(isCovered));
  const uncovered = tally(own.filter((message) => !isCovered(message)));
  const byModel = totals(ledgers, uncovered);
  return {
    tokens: byModel.map(tokensOf).reduce(addTokens, NO_TOKENS),
    cost: costOf(byModel, ledgers, uncovered, statesWithData.length > 0),
    byModel,
    beyondMessages: beyondMessages(ledgers, covered),
    ...contextOf(prices, [...own, ...copied]),
  };
}

interface Message {
  readonly messageId: string;
  readonly atMs: number;
  readonly isMain: boolean;
  readonly model: string;
  /** Includes `[1m]`, which the response omits. */
  readonly requestedModel: string;
  readonly usage: unknown;
  readonly shares: readonly (Share & { readonly name: string })[];
}

/** A session may have thousands of messages and is read after each, so the usage of each is computed once. */
const cache = new WeakMap<UsageSource, WeakMap<HooklineEvent, Message[]>>();

function messageOf(
  prices: UsageSource,
  event: HooklineEvent,
  fields: Readonly<Record<string, unknown>>,
): Message[] {
  const byEvent = cache.get(prices) ?? new WeakMap<HooklineEvent, Message[]>();
  cache.set(prices, byEvent);
  const message = byEvent.get(event) ?? toMessage(prices, event, fields);
  byEvent.set(event, message);
  return message;
}

function toMessage(
  prices: UsageSource,
  event: HooklineEvent,
  fields: Readonly<Record<string, unknown>>,
): Message[] {
  const { messageId, model, requestedModel, usage } = fields;
  // Text the agent writes in the model's place uses no tokens.
  if (typeof model !== "string" || model === "<synthetic>" || usage == null) return [];
  return [
    {
      messageId: typeof messageId === "string" ? messageId : event.id,
      atMs: Date.parse(event.occurredAtIso),
      isMain: event.agentId == null,
      model,
      requestedModel: typeof requestedModel === "string" ? requestedModel : model,
      usage,
      shares: countUsage(model, usage).map((part) => {
        const { input, output, cacheRead, cacheWrite } = part.usage;
        const micros = prices.priceOf(part.model, part.usage);
        return {
          name: prices.canonicalModelName(part.model),
          tokens: { input, output, cacheRead, cacheWrite },
          micros,
        };
      }),
    },
  ];
}

interface Share {
  tokens: Tokens;
  /** Not rounded; undefined for a model without a price. */
  micros: number | undefined;
}

function tally(messages: readonly Message[]): Map<string, Share> {
  const shares = new Map<string, Share>();
  for (const message of messages) {
    for (const { name, tokens, micros } of message.shares) {
      const share = shares.get(name) ?? { tokens: NO_TOKENS, micros: 0 };
      shares.set(name, {
        tokens: addTokens(share.tokens, tokens),
        micros: micros === undefined || share.micros === undefined ? undefined : share.micros + micros,
      });
    }
  }
  return shares;
}

function totals(ledgers: CostLedgers, uncovered: ReadonlyMap<string, Share>): ModelUsage[] {
  const models = [...new Set([...ledgers.byModel.keys(), ...uncovered.keys()])].sort();
  return models.map((model) => {
    const [reported, counted] = [ledgers.byModel.get(model), uncovered.get(model)];
    const priced = [reported?.micros ?? undefined, counted?.micros].filter((micros) => micros !== undefined);
    return {
      model,
      ...addTokens(reported?.tokens ?? NO_TOKENS, counted?.tokens ?? NO_TOKENS),
      costMicros: priced.length === 0 ? null : Math.round(priced.reduce((a, b) => a + b)),
    };
  });
}

function costOf(
  byModel: readonly ModelUsage[],
  ledgers: CostLedgers,
  uncovered: ReadonlyMap<string, Share>,
  isReported: boolean,
): Cost {
  const unpricedModels = byModel
    .map(({ model }) => model)
    .filter((model) => {
      const [reported, counted] = [ledgers.byModel.get(model), uncovered.get(model)];
      return reported?.micros === null || (counted !== undefined && counted.micros === undefined);
    });
  const priced = byModel.map(({ costMicros }) => costMicros).filter((micros) => micros !== null);
  if (priced.length === 0 && unpricedModels.length > 0) {
    return { micros: null, source: "unpriced", unpricedModels };
  }
  const isEstimate = !isReported || [...uncovered.values()].some(({ micros }) => micros !== undefined);
  return {
    micros: priced.reduce((a, b) => a + b, 0),
    source: isEstimate ? "estimate" : "reported",
    unpricedModels,
  };
}

function beyondMessages(ledgers: CostLedgers, covered: ReadonlyMap<string, Share>): ModelUsage[] {
  return [...ledgers.byModel.keys()].sort().flatMap((model) => {
    const { tokens, micros } = ledgers.byModel.get(model)!;
    const counted = covered.get(model) ?? { tokens: NO_TOKENS, micros: 0 };
    const remaining = (key: keyof Tokens): number => Math.max(0, tokens[key] - counted.tokens[key]);
    const rest: Tokens = {
      input: remaining("input"),
      output: remaining("output"),
      cacheRead: remaining("cacheRead"),
      cacheWrite: remaining("cacheWrite"),
    };
    if (Object.values(rest).every((count) => count === 0)) return [];
    const costMicros =
      micros === null || counted.micros === undefined
        ? null
        : Math.max(0, Math.round(micros - counted.micros));
    return [{ model, ...rest, costMicros }];
  });
}

function tokensOf({ input, output, cacheRead, cacheWrite }: ModelUsage): Tokens {
  return { input, output, cacheRead, cacheWrite };
}

function contextOf(
  prices: UsageSource,
  messages: readonly Message[],
): Pick<UsageReading, "model" | "contextTokens" | "contextWindow"> {
  let newest: Message | undefined;
  for (const message of messages) {
    if (!message.isMain) continue;
    const difference = message.atMs - (newest?.atMs ?? Number.NEGATIVE_INFINITY);
    if (difference > 0 || (difference === 0 && message.messageId > newest!.messageId)) newest = message;
  }
  if (newest === undefined) return { model: null, contextTokens: null, contextWindow: null };
  const { input, cacheRead, cacheWrite } = countUsage(newest.model, newest.usage)[0]!.usage;
  const contextTokens = input + cacheRead + cacheWrite;
  return {
    model: newest.model,
    contextTokens,
    contextWindow:
      prices.contextWindowOf(newest.requestedModel, contextTokens) ??
      prices.contextWindowOf(newest.model, contextTokens),
  };
}
