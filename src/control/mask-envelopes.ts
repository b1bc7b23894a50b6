import { redactBody } from "../capture/redact-event.ts";
import { isWhollyPrivate } from "../privacy/private-tags.ts";
import type { EnvelopeBody } from "./envelope.ts";

export type MaskEnvelope = (body: EnvelopeBody) => EnvelopeBody;

const PRIVATE = "(private)";

/**
 * Removes secrets and private parts from a session's envelopes before they are stored and shown; a turn that
 * started with a wholly private prompt loses all content. While it runs, its text still streams as deltas,
 * which are never stored, and its requests show as cards.
 */
export function createEnvelopeMask(): MaskEnvelope {
  let isHidden = false;
  return (body) => {
    if (body.type === "user" && isWhollyPrivate(body.text)) isHidden = true;
    if (body.type === "state" && (body.state === "idle" || body.state === "closed")) isHidden = false;
    return isHidden ? withoutContent(body) : withinBounds(body);
  };
}

/** An input too large even after cutting is reduced to its beginning, so that its request stays visible. */
function withinBounds(body: EnvelopeBody): EnvelopeBody {
  const options = { marks: body.type !== "user" };
  const masked = redactBody(body, options) as EnvelopeBody;
  if (masked.type === body.type) return masked;
  if (body.type === "question.request") return withFewerQuestions(body);
  if (!("input" in body)) return masked;
  return { ...(redactBody({ ...body, input: {} }, options) as typeof body), input: masked };
}

/** Keeps as many questions as fit. */
function withFewerQuestions(body: EnvelopeBody & { readonly type: "question.request" }): EnvelopeBody {
  for (let count = body.questions.length >> 1; count > 0; count >>= 1) {
    const masked = redactBody({ ...body, questions: body.questions.slice(0, count) }, { marks: true });
    if ((masked as EnvelopeBody).type === body.type) return masked as EnvelopeBody;
  }
  return { ...body, questions: [] };
}

function withoutContent(body: EnvelopeBody): EnvelopeBody {
  switch (body.type) {
    case "user":
    case "text":
      return { ...body, text: PRIVATE };
    case "tool.start":
      return { ...body, input: {} };
    case "tool.end":
      return { ...body, output: PRIVATE };
    case "decision":
      return { ...body, reason: PRIVATE };
    case "permission.request":
      return { ...body, input: {}, reason: PRIVATE };
    case "question.request":
      return { ...body, questions: [] };
    case "question.resolved":
      return { ...body, answers: null };
    case "task":
      return { ...body, description: null };
    case "result":
      return { ...body, message: null };
    case "rewind":
      return { ...body, files: [] };
    default:
      return withinBounds(body);
  }
}
