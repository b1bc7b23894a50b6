/** Everything that can happen to requests of one session, in every order that can be. */

/** `main` has its dialog beside the hold; `agent` is a background subagent, which has one only after it. */
export interface AskingOne {
  readonly name: string;
  readonly by: "main" | "agent";
}

export type Step =
  | { readonly act: "ask" | "release" | "terminal" | "page"; readonly of: string }
  | { readonly act: "stop" | "restart" };

/** What may become of one request, from its question on. */
const FATES: Readonly<Record<AskingOne["by"], readonly (readonly ("release" | "terminal" | "page")[])[]>> = {
  main: [[], ["terminal"], ["page"], ["release"], ["release", "terminal"]],
  agent: [[], ["page"], ["release"], ["release", "terminal"]],
};

/** All orders of these requests with all their fates, and of at most one Stop and one restart among them. */
export function* orders(
  asking: readonly AskingOne[],
  extras: readonly ("stop" | "restart")[],
): Generator<Step[]> {
  for (const fates of product(asking.map(({ by }) => FATES[by]))) {
    const own = asking.map(({ name }, at): Step[] => [
      { act: "ask", of: name },
      ...fates[at]!.map((act) => ({ act, of: name })),
    ]);
    yield* interleave([...own, ...extras.map((act): Step[] => [{ act }])]);
  }
}

export function describeOrder(steps: readonly Step[]): string {
  return steps.map((step) => ("of" in step ? `${step.act} ${step.of}` : step.act)).join(", ");
}

function* product<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const [first, ...rest] = lists;
  if (first === undefined) yield [];
  else for (const one of first) for (const others of product(rest)) yield [one, ...others];
}

function* interleave<T>(lists: readonly (readonly T[])[]): Generator<T[]> {
  const open = lists.filter((list) => list.length > 0);
  if (open.length === 0) yield [];
  for (const [at, [next, ...rest]] of open.entries())
    for (const others of interleave(open.with(at, rest))) yield [next!, ...others];
}
