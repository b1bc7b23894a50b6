import { redactBody } from "../capture/redact-event.ts";
import { isWhollyPrivate } from "../privacy/private-tags.ts";
import type { EnvelopeBody } from "./envelope.ts";

export type MaskEnvelope = (body: EnvelopeBody) => EnvelopeBody;

const PRIVATE = "(private)";

/**
 * What of a session's envelopes may be kept, and is therefore shown: without secrets and private parts; of a turn that
 * a wholly private prompt began, nothing of its content. While it runs, its words still come as pieces that nobody
 * keeps, and its requests as cards.
 */
export function createEnvelopeMask(): MaskEnvelope {
  let isHidden = false;
  return (body) => {
    if (body.type === "user" && isWhollyPrivate(body.text)) isHidden = true;
    if (body.type === "state" && (body.state === "idle" || body.state === "closed")) isHidden = false;
    return isHidden ? withoutContent(body) : withinBounds(body);
  };
}

/** Of an input that is too large however it is cut, only a beginning is left: what asks for it is still seen. */
function withinBounds(body: EnvelopeBody): EnvelopeBody {
  const how = { marks: body.type !== "user" };
  const masked = redactBody(body, how) as EnvelopeBody;
  if (masked.type === body.type) return masked;
  if (body.type === "question.request") return withFewer(body);
  if (!("input" in body)) return masked;
  return { ...(redactBody({ ...body, input: {} }, how) as typeof body), input: masked };
}

/** Of more questions than can be kept, as many as fit. */
function withFewer(body: EnvelopeBody & { readonly type: "question.request" }): EnvelopeBody {
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
