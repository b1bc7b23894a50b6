import type { SimulatedSession } from "./simulated-session.ts";

const BERTH = "src/booking/berth.ts";
const TEST = "src/booking/berth.test.ts";

/** A long session with everything one can have: waits, a failure, subagents, a compaction, a model change. */
export function playFerryStory(ferry: SimulatedSession): void {
  playBooking(ferry);
  ferry.wait(420);
  playMoves(ferry);
  ferry.wait(180);
  ferry.switchModel("claude-sonnet-5-5");
  ferry.wait(20);
  playWaitingList(ferry);
}

function playBooking(ferry: SimulatedSession): void {
  ferry.prompt(
    "Two people can book the last berth at the same moment: the second gets a confirmation and no bed. Find out how and make it impossible.",
  );
  ferry.say("I will look at how a berth is taken first, then write a test that fails.");
  ferry.call(
    "Grep",
    { pattern: "takeBerth|freeBerths", path: "src", output_mode: "content" },
    {
      response: {
        mode: "content",
        numLines: 4,
        content:
          'src/booking/berth.ts:14:export async function takeBerth(\nsrc/booking/berth.ts:19:  const free = await freeBerths(db, crossing);\nsrc/booking/route.ts:41:  const berth = await takeBerth(db, crossing, guest);\nsrc/report/load.ts:8:import { freeBerths } from "../booking/berth.ts";',
      },
    },
  );
  ferry.call(
    "Read",
    { file_path: `${ferry.cwd}/${BERTH}` },
    { response: fileOf(`${ferry.cwd}/${BERTH}`, BEFORE) },
  );
  ferry.agent("Explore", "Every place that writes to berths", (agent) => {
    agent.call("Grep", { pattern: "UPDATE berths|INSERT INTO berths", path: "." }, { seconds: 1.2 });
    agent.call("Read", { file_path: `${ferry.cwd}/src/import/timetable.ts` });
    agent.call("Read", { file_path: `${ferry.cwd}/src/admin/move-guest.ts` });
    agent.say(
      "Three places write: the booking, the timetable's import and the desk's move. Only the booking is open to the public.",
    );
  });
  ferry.say(
    "`takeBerth` reads the free berths and writes one of them **in two statements**. Between them another request reads the same berth:\n\n1. request A reads berth 12 as free\n2. request B reads berth 12 as free\n3. both write their guest; the second wins\n\nI will have a test show it before I change anything.",
  );
  ferry.call(
    "Write",
    { file_path: `${ferry.cwd}/${TEST}`, content: TEST_TEXT },
    {
      response: { type: "create", filePath: `${ferry.cwd}/${TEST}`, content: TEST_TEXT, structuredPatch: [] },
    },
  );
  ferry.bash("npx vitest run src/booking", "", { seconds: 6.4, error: FAILS });
  ferry.edit(BERTH, 14, EDIT);
  ferry.bash(
    "npx vitest run src/booking",
    "✓ src/booking/berth.test.ts (3 tests) 412ms\n\nTests  3 passed (3)",
    {
      seconds: 5.8,
    },
  );
  ferry.stop(
    "Two bookings of the last berth can no longer both succeed: the berth is taken and checked in one statement, and who comes second gets `no_berth_left`. The test runs 40 bookings at once.",
  );
}

function playMoves(ferry: SimulatedSession): void {
  ferry.prompt(
    "Good. The desk moves guests between berths too. Same guarantee there, and add a migration with a unique index.",
  );
  ferry.call(
    "Read",
    { file_path: `${ferry.cwd}/src/admin/move-guest.ts` },
    {
      response: fileOf(`${ferry.cwd}/src/admin/move-guest.ts`, MOVE),
    },
  );
  ferry.edit("src/admin/move-guest.ts", 6, MOVE_EDIT);
  ferry.call(
    "Write",
    { file_path: `${ferry.cwd}/migrations/0031-one-guest-a-berth.sql`, content: MIGRATION },
    {
      response: {
        type: "create",
        filePath: `${ferry.cwd}/migrations/0031-one-guest-a-berth.sql`,
        content: MIGRATION,
        structuredPatch: [],
      },
    },
  );
  ferry.bash("npm run migrate -- --database ferry_test", "0031-one-guest-a-berth … done in 84 ms", {
    seconds: 3.1,
    askedSeconds: 96,
  });
  ferry.bash("npx vitest run", "Test Files  41 passed (41)\n     Tests  318 passed (318)", { seconds: 31 });
  ferry.hook("PreCompact", { trigger: "auto", custom_instructions: null });
  ferry.wait(14);
  ferry.hook("PostCompact", {
    trigger: "auto",
    compact_summary: "Bookings and moves of berths are atomic; migration 0031 adds the index.",
  });
  ferry.stop(
    "Moves are safe as well, and migration 0031 makes the database refuse a second guest in a berth whatever the code does.",
  );
}

function playWaitingList(ferry: SimulatedSession): void {
  ferry.prompt(
    "Now the waiting list: when a berth is given back, the first on the list gets it. Plan it with two agents looking at the mails and the timetable first.",
  );
  ferry.agent(
    "Explore",
    "How mails to guests are sent",
    (agent) => {
      agent.call("Grep", { pattern: "sendMail\\(", path: "src" }, { seconds: 0.8 });
      agent.call("Read", { file_path: `${ferry.cwd}/src/mail/outbox.ts` });
      agent.call("Read", { file_path: `${ferry.cwd}/src/mail/templates/confirmed.ts` });
    },
    true,
  );
  ferry.agent(
    "Explore",
    "When a crossing can still change",
    (agent) => {
      agent.call("Glob", { pattern: "src/import/**/*.ts" }, { seconds: 0.4 });
      agent.call("Read", { file_path: `${ferry.cwd}/src/import/timetable.ts` });
    },
    true,
  );
  ferry.call("Read", { file_path: `${ferry.cwd}/src/booking/cancel.ts` });
  ferry.edit("src/booking/cancel.ts", 21, [
    " export async function cancel(db: Db, booking: Booking): Promise<void> {",
    '-  await db.run("DELETE FROM bookings WHERE id = ?", booking.id);',
    "+  await db.transaction(async (tx) => {",
    '+    await tx.run("DELETE FROM bookings WHERE id = ?", booking.id);',
    "+    await offerToFirst(tx, booking.crossing);",
    "+  });",
    " }",
  ]);
}

const fileOf = (filePath: string, content: string) => ({
  type: "text",
  file: {
    filePath,
    content,
    numLines: content.split("\n").length,
    startLine: 1,
    totalLines: content.split("\n").length,
  },
});

const BEFORE = `import type { Db } from "../db.ts";
import { freeBerths } from "./free-berths.ts";

export async function takeBerth(db: Db, crossing: Crossing, guest: Guest) {
  const free = await freeBerths(db, crossing);
  if (free.length === 0) return { type: "no_berth_left" } as const;
  const [berth] = free;
  await db.run("UPDATE berths SET guest = ? WHERE id = ?", guest.id, berth.id);
  return { type: "taken", berth } as const;
}
`;

const EDIT = [
  " export async function takeBerth(db: Db, crossing: Crossing, guest: Guest) {",
  "-  const free = await freeBerths(db, crossing);",
  '-  if (free.length === 0) return { type: "no_berth_left" } as const;',
  "-  const [berth] = free;",
  '-  await db.run("UPDATE berths SET guest = ? WHERE id = ?", guest.id, berth.id);',
  "+  // One statement finds and takes it: whoever comes second finds it taken.",
  "+  const berth = await db.get<Berth>(",
  "+    `UPDATE berths SET guest = ? WHERE id = (",
  "+       SELECT id FROM berths WHERE crossing = ? AND guest IS NULL ORDER BY id LIMIT 1",
  "+     ) AND guest IS NULL RETURNING *`,",
  "+    guest.id,",
  "+    crossing.id,",
  "+  );",
  '+  if (berth === undefined) return { type: "no_berth_left" } as const;',
  '   return { type: "taken", berth } as const;',
  " }",
];

const TEST_TEXT = `it("gives the last berth to one of forty who ask at once", async () => {
  const crossing = await seedCrossing({ berths: 1 });
  const asked = Array.from({ length: 40 }, (_, n) => takeBerth(db, crossing, guest(n)));
  const answers = await Promise.all(asked);
  expect(answers.filter(({ type }) => type === "taken")).toHaveLength(1);
});
`;

const FAILS = `Exit code 1
 FAIL  src/booking/berth.test.ts > gives the last berth to one of forty who ask at once
AssertionError: expected [ …(40) ] to have a length of 1 but got 40
 ❯ src/booking/berth.test.ts:5:61

 Tests  1 failed | 2 passed (3)`;

const MOVE = `export async function moveGuest(db: Db, guest: Guest, to: Berth) {
  await db.run("UPDATE berths SET guest = NULL WHERE guest = ?", guest.id);
  await db.run("UPDATE berths SET guest = ? WHERE id = ?", guest.id, to.id);
}
`;

const MOVE_EDIT = [
  " export async function moveGuest(db: Db, guest: Guest, to: Berth) {",
  '-  await db.run("UPDATE berths SET guest = NULL WHERE guest = ?", guest.id);',
  '-  await db.run("UPDATE berths SET guest = ? WHERE id = ?", guest.id, to.id);',
  "+  return db.transaction(async (tx) => {",
  '+    await tx.run("UPDATE berths SET guest = NULL WHERE guest = ?", guest.id);',
  '+    const moved = await tx.run("UPDATE berths SET guest = ? WHERE id = ? AND guest IS NULL", guest.id, to.id);',
  "+    if (moved.changes === 0) throw new BerthTaken(to);",
  "+  });",
  " }",
];

const MIGRATION = `-- Whatever the code does, a berth has one guest on a crossing.
CREATE UNIQUE INDEX berths_one_guest ON berths (crossing, guest) WHERE guest IS NOT NULL;
`;
