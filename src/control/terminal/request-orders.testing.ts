/** Everything that can happen to the requests of one session, in every possible order. */

/** `main` has its dialog during the hold; `agent` is a background subagent, which has one only after it. */
export interface Requester {
  readonly name: string;
  readonly by: "main" | "agent";
}

export type Step =
  | { readonly act: "ask" | "release" | "terminal" | "page"; readonly of: string }
  | { readonly act: "stop" | "restart" };

/** What may happen to a request after it was asked. */
const OUTCOMES: Readonly<Record<Requester["by"], readonly (readonly ("release" | "terminal" | "page")[])[]>> =
  {
    main: [[], ["terminal"], ["page"], ["release"], ["release", "terminal"]],
    agent: [[], ["page"], ["release"], ["release", "terminal"]],
  };

/** All orders of these requests with all their outcomes, and at most one Stop and one restart among them. */
export function* orders(
  requesters: readonly Requester[],
  extras: readonly ("stop" | "restart")[],
): Generator<Step[]> {
  for (const outcomes of product(requesters.map(({ by }) => OUTCOMES[by]))) {
    const stepsPerRequest = requesters.map(({ name }, index): Step[] => [
      { act: "ask", of: name },
      ...outcomes[index]!.map((act) => ({ act, of: name })),
    ]);
    yield* interleave([...stepsPerRequest, ...extras.map((act): Step[] => [{ act }])]);
  }
}

export function describeOrder(steps: readonly Step[]): string {
  return steps.map((step) => ("of" in step ? `${step.act} ${step.of}` : step.act)).join(", ");
}

function* product<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...rest] = lists;
  if (first === undefined) yield [];
  else for (const item of first) for (const others of product(rest)) yield [item, ...others];
}

function* interleave<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const open = lists.filter((list) => list.length > 0);
  if (open.length === 0) yield [];
  for (const [index, [next, ...rest]] of open.entries())
    for (const others of interleave(open.with(index, rest))) yield [next!, ...others];
}
