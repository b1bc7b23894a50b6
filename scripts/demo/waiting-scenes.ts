// Sessions that ask the user something as soon as their next hooks are fired.

import { OPUS, type Scene, SONNET } from "./scene.ts";

export const SHOP_RETRY: Scene = {
  setup: {
    key: "shop-retry",
    project: "tindra-shop",
    branch: "fix/payment-retry",
    model: OPUS,
    title: "Retry a payment without charging twice",
  },
  agoMs: 9_000,
  work: (session) => {
    session.prompt("Payments that time out are retried and sometimes charged twice. Use idempotency keys.");
    session.call("Read", { file_path: `${session.cwd}/src/pay/charge.ts` });
    session.edit("src/pay/charge.ts", 12, [
      "-  return provider.charge(order.total, order.card);",
      "+  return provider.charge(order.total, order.card, { idempotencyKey: order.id });",
    ]);
    session.bash("npm test -- src/pay", "Tests  27 passed (27)", { seconds: 9 });
    session.say(
      "The key must be stored with the order, so that a retry after a restart uses the same. That needs a column.",
    );
    session.call("Write", {
      file_path: `${session.cwd}/prisma/migrations/20261115_payment_key/migration.sql`,
      content: 'ALTER TABLE "Order" ADD COLUMN "paymentKey" TEXT;\n',
    });
  },
};

/** The command it asks to run next. */
export const DEPLOY = {
  command: "npx prisma migrate deploy --schema prisma/schema.prisma && npm run seed:payments",
  description: "Apply the migration",
};

export const QUILL_MERGE: Scene = {
  setup: {
    key: "quill-merge",
    project: "quill",
    branch: "feat/offline-merge",
    model: SONNET,
    title: "Merge notes that were edited offline",
  },
  agoMs: 22_000,
  work: (session) => {
    session.prompt(
      "When a note was edited on two devices while both were offline, one of them loses. Fix the sync.",
    );
    session.call("Grep", { pattern: "lastWriteWins", path: "src/sync" });
    session.call("Read", { file_path: `${session.cwd}/src/sync/merge.ts` });
    session.say(
      "There are three ways to do this, and they feel different to who writes. I would rather ask.",
    );
  },
};

/** The questions it asks next. */
export const QUESTIONS = [
  {
    question: "Two devices changed the same paragraph. What should a person see?",
    header: "Merge",
    multiSelect: false,
    options: [
      { label: "Both versions, one below the other", description: "Nothing is lost; the person tidies up" },
      { label: "The newer one, the other in history", description: "Quiet, and can be undone" },
      { label: "A word-by-word merge", description: "Best when it works, strange when it does not" },
    ],
  },
];
