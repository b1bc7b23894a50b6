/** The hook payloads of one run of the toy. */
export function toyRun(run: string, dir: string): readonly (readonly [what: string, payload: object])[] {
  const hook = (what: string, fields: object = {}) =>
    [what, { toy: "hook", what, run, dir, ...fields }] as const;
  return [
    hook("begin"),
    hook("ask", { turn: "1", text: "wind up the spring" }),
    hook("do", { turn: "1", call: "1", tool: "sh", with: { command: "wind --times 3" } }),
    hook("may", { turn: "1", tool: "sh", with: { command: "wind --times 3" } }),
    hook("did", {
      turn: "1",
      call: "1",
      tool: "sh",
      with: { command: "wind --times 3" },
      gave: "wound 3 times",
    }),
    hook("do", { turn: "1", call: "2", tool: "save", with: { path: `${dir}/spring.txt` } }),
    hook("did", { turn: "1", call: "2", tool: "save", with: { path: `${dir}/spring.txt` }, gave: "saved" }),
    hook("done", { turn: "1", text: "The spring is wound." }),
    hook("end", { why: "over" }),
  ];
}

/** The same run as a transcript. */
export function toyLog(run: string, dir: string): string {
  return toyRun(run, dir)
    .map(([, payload], index) =>
      JSON.stringify({
        ...payload,
        toy: "line",
        at: new Date(Date.UTC(2026, 10, 16, 8, 0, index)).toISOString(),
      }),
    )
    .join("\n")
    .concat("\n");
}
