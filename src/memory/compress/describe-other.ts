import { asObject } from "../../agents/read-json.ts";
import type { CallDescription } from "./call-description.ts";
import { cleanText, clipLine, oneLine } from "./clean-text.ts";
import { answerFact, argumentsOf, parseJsonObject } from "./describe-lookup.ts";
import { type Call, inputText } from "./read-call.ts";
import { plainLine, sentencesOf } from "./sentences.ts";

/** A plan is a decision; its first heading names it, its steps are the facts. */
export function describePlan(call: Call): CallDescription {
  const plan =
    inputText(call, "plan") ||
    cleanText(parseJsonObject(call.output)["plan"], 4_000) ||
    approved(call.output);
  const lines = plan
    .split("\n", 200)
    .map(plainLine)
    .filter((line) => line !== "");
  const first = lines[0]?.replace(/^Plan:?\s+/i, "");
  return {
    type: "decision",
    title: first === undefined ? "Left plan mode" : `Plan: ${first}`,
    attempt: first === undefined ? "The plan" : `Plan "${clipLine(first, 60)}"`,
    facts: lines.slice(1, 8),
    about: plan.slice(0, 2_000),
  };
}

/** The plan as it is echoed to the model. */
function approved(output: string): string {
  const head = /^#{1,3} Approved Plan[^\n]{0,80}:?\n/m.exec(output);
  return head === null ? "" : output.slice(head.index + head[0].length);
}

/** The user's choice is their decision. */
export function describeQuestion(call: Call): CallDescription {
  const told = answersOf(call).map(
    ([question, chosen]) =>
      `${clipLine(cleanText(question, 400), 120)} ${clipLine(cleanText(chosen, 400), 100)}`,
  );
  return {
    type: "decision",
    title: told.length === 0 ? "Asked the user" : `User chose: ${told[0]}`,
    attempt: "Asking the user",
    facts: told.map((one) => `User's answer: ${one}`),
    about: told.join(" "),
  };
}

function answersOf(call: Call): [question: string, chosen: string][] {
  const answers = asObject(call.input["answers"]);
  const told: [string, string][] = [];
  for (const question in answers) {
    const chosen = answers[question];
    if (told.length < MAX_ANSWERS && typeof chosen === "string") told.push([question, chosen]);
  }
  if (told.length > 0) return told;
  const shown = call.output.slice(0, 4_000).matchAll(/"([^"\n]{1,400})"="([^"\n]{1,400})"/g);
  return [...shown].slice(0, MAX_ANSWERS).map(([, question, chosen]) => [question!, chosen!]);
}

const MAX_ANSWERS = 6;

/** The agent's own task lists. */
export function describeTask(call: Call): CallDescription {
  const subject = clipLine(inputText(call, "subject"), 90);
  const id = oneLine(inputText(call, "taskId", 40));
  const status = oneLine(inputText(call, "status", 40));
  const what = subject !== "" ? subject : id === "" ? "" : `#${id}`;
  // Updates name a task by its id.
  const verb = id === "" ? "New task" : "Task";
  const said = [what, status].filter((part) => part !== "").join(" ");
  const description = clipLine(inputText(call, "description"), 220);
  return {
    type: "command",
    title: said === "" ? call.tool : `${verb}: ${said}`,
    attempt: said === "" ? call.tool : `${verb} ${said}`,
    facts: [description],
    about: `${subject} ${description}`,
  };
}

export function describeSkill(call: Call): CallDescription {
  const name = clipLine(inputText(call, "skill") || inputText(call, "command"), 60);
  const given = clipLine(inputText(call, "args"), 50);
  return {
    type: "command",
    title: `Used skill ${name}${given === "" ? "" : ` (${given})`}`,
    attempt: `Skill ${name}`,
    about: given,
  };
}

/** Any other tool, known or not: its name and input. */
export function describeOther(call: Call): CallDescription {
  const name = oneLine(call.tool).slice(0, 60);
  const given = argumentsOf(call);
  const told = given === "" ? name : `${name} (${clipLine(given, 50)})`;
  const said = sentencesOf(call.output.slice(0, 400))[0] ?? "";
  const isText = said !== "" && !/^[{[]/.test(said);
  return {
    type: "command",
    title: isText ? `${told}: ${said}` : told,
    attempt: told,
    facts: [given === "" ? "" : `Input: ${given}`, call.failed ? "" : answerFact(call.output)],
    about: given,
  };
}
