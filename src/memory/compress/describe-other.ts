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
    approvedPlan(call.output);
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
function approvedPlan(output: string): string {
  const head = /^#{1,3} Approved Plan[^\n]{0,80}:?\n/m.exec(output);
  return head === null ? "" : output.slice(head.index + head[0].length);
}

/** The user's choice is their decision. */
export function describeQuestion(call: Call): CallDescription {
  const answers = answersOf(call).map(
    ([question, chosen]) =>
      `${clipLine(cleanText(question, 400), 120)} ${clipLine(cleanText(chosen, 400), 100)}`,
  );
  return {
    type: "decision",
    title: answers.length === 0 ? "Asked the user" : `User chose: ${answers[0]}`,
    attempt: "Asking the user",
    facts: answers.map((answerText) => `User's answer: ${answerText}`),
    about: answers.join(" "),
  };
}

function answersOf(call: Call): [question: string, chosen: string][] {
  const answers = asObject(call.input["answers"]);
  const pairs: [string, string][] = [];
  for (const question in answers) {
    const chosen = answers[question];
    if (pairs.length < MAX_ANSWERS && typeof chosen === "string") pairs.push([question, chosen]);
  }
  if (pairs.length > 0) return pairs;
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
  const answer = [what, status].filter((part) => part !== "").join(" ");
  const description = clipLine(inputText(call, "description"), 220);
  return {
    type: "command",
    title: answer === "" ? call.tool : `${verb}: ${answer}`,
    attempt: answer === "" ? call.tool : `${verb} ${answer}`,
    facts: [description],
    about: `${subject} ${description}`,
  };
}

export function describeSkill(call: Call): CallDescription {
  const name = clipLine(inputText(call, "skill") || inputText(call, "command"), 60);
  const args = clipLine(inputText(call, "args"), 50);
  return {
    type: "command",
    title: `Used skill ${name}${args === "" ? "" : ` (${args})`}`,
    attempt: `Skill ${name}`,
    about: args,
  };
}

/** Any other tool, known or not: its name and input. */
export function describeOther(call: Call): CallDescription {
  const name = oneLine(call.tool).slice(0, 60);
  const args = argumentsOf(call);
  const label = args === "" ? name : `${name} (${clipLine(args, 50)})`;
  const answer = sentencesOf(call.output.slice(0, 400))[0] ?? "";
  const isText = answer !== "" && !/^[{[]/.test(answer);
  return {
    type: "command",
    title: isText ? `${label}: ${answer}` : label,
    attempt: label,
    facts: [args === "" ? "" : `Input: ${args}`, call.failed ? "" : answerFact(call.output)],
    about: args,
  };
}
