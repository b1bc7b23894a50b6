// Planted observations that certain questions target, and the questions. What they share differs by kind: a
// unique name, an error's text, a paraphrase, Korean.

import type { ItemContent } from "../../src/memory/memory-item.ts";

export interface Planted {
  readonly content: ItemContent;
  readonly questions: Readonly<Partial<Record<"name" | "error" | "paraphrase" | "korean", string>>>;
}

export const PLANTED: readonly Planted[] = [
  plant(
    "Raised the pool size of acquireLedgerConn",
    "The ledger service ran out of database connections under load; acquireLedgerConn now waits up to five seconds and the pool holds forty.",
    {
      name: "acquireLedgerConn",
      paraphrase: "why did the accounting service have no free database connections when busy",
    },
  ),
  plant(
    "JWT clock skew tolerance set to 90 seconds",
    "Logins failed on machines whose clock was behind: verifyIssuedAt rejected tokens as issued in the future.",
    {
      name: "verifyIssuedAt",
      error: "JsonWebTokenError token issued in the future iat",
      paraphrase: "users could not sign in because their computer time was wrong",
    },
  ),
  plant(
    "Memory leak in ThumbnailCarousel fixed",
    "The resize listener was never removed on unmount, so every visit of the gallery kept its images alive.",
    {
      name: "ThumbnailCarousel",
      paraphrase: "pictures page uses more and more RAM each time it is opened",
    },
  ),
  plant(
    "npm ci fails: lock file out of sync",
    "npm error code EUSAGE: package.json and package-lock.json are not in sync. Missing: rolldown-binding@1.2.19 from lock file",
    {
      name: "rolldown-binding",
      error: "npm ci can only install packages when your package.json and package-lock.json are in sync",
      paraphrase: "clean installation of dependencies is refused",
    },
  ),
  plant(
    "Nightly backup moved to object storage",
    "We decided that snapshotCrontab uploads to the bucket instead of the NAS because restores took six hours.",
    {
      name: "snapshotCrontab",
      paraphrase: "where do we keep the copies made every night and why",
    },
  ),
  plant(
    "Flaky test waits for the websocket handshake",
    "awaitHandshakeFrame resolved before the server had subscribed; the test now waits for the ack.",
    {
      name: "awaitHandshakeFrame",
      error: "expected 1 message but received 0 handshakeFrame",
      paraphrase: "test that sometimes fails because the live connection was not ready",
    },
  ),
  plant(
    "CSV export escapes formulas",
    "Cells that begin with = or + were run by spreadsheets; escapeFormulaCell now puts an apostrophe before them.",
    {
      name: "escapeFormulaCell",
      paraphrase: "security problem when customers open the exported spreadsheet",
    },
  ),
  plant(
    "Dark mode flash on first paint removed",
    "The theme was read after hydration. applyThemeEarly runs inline in the head.",
    {
      name: "applyThemeEarly",
      paraphrase: "the page is white for a moment before it turns black",
    },
  ),
  plant(
    "Duplicate invoices: idempotency key added",
    "Stripe retried the webhook and createInvoiceOnce ran twice; it now keys by event id.",
    {
      name: "createInvoiceOnce",
      paraphrase: "customers were billed two times for the same purchase",
    },
  ),
  plant(
    "Docker build cache was invalidated by COPY order",
    "The manifest is copied before the sources, so that the layer of dependencies is kept: 9 minutes to 80 seconds.",
    {
      paraphrase: "make container images build faster",
    },
  ),
  plant(
    "Segfault in libvips with animated WebP",
    "sharp 0.33 crashed in decodeWebpFrames on animated input; pinned to 0.32 until upstream fixes it.",
    {
      name: "decodeWebpFrames",
      error: "Segmentation fault (core dumped) vips webp animated",
      paraphrase: "image library crashes the process on moving pictures",
    },
  ),
  plant(
    "Postgres deadlock between two migrations",
    "ERROR: deadlock detected. Process waits for ShareLock on transaction; addIndexConcurrently runs outside of one now.",
    {
      name: "addIndexConcurrently",
      error: "deadlock detected Process waits for ShareLock on transaction blocked by process",
      paraphrase: "two schema changes blocked each other for ever",
    },
  ),
  plant(
    "한글 파일 이름이 깨지는 문제를 고쳤다",
    "맥에서 압축한 자료를 풀면 자모가 분리되어 보였다. normalizeHangulName 에서 NFC 로 정규화한다.",
    {
      name: "normalizeHangulName",
      korean: "자모 분리 정규화",
    },
  ),
  plant(
    "결제 취소 시 환불 금액이 음수로 저장됨",
    "부분환불의 부호를 두 번 뒤집고 있었다. refundSignum 을 제거했다.",
    {
      name: "refundSignum",
      korean: "부분환불 음수 저장",
    },
  ),
  plant(
    "로그인 잠금 해제 시간을 삼십분으로 결정",
    "다섯 번 틀리면 계정이 잠기고, 관리자가 아니어도 삼십분 뒤 풀리도록 unlockAfterStrikes 를 바꿨다.",
    {
      name: "unlockAfterStrikes",
      korean: "계정 잠금 삼십분 뒤 풀림",
    },
  ),
  plant("배포 스크립트가 심볼릭링크를 따라가지 않음", "rsync 옵션이 빠져 있어서 정적자산이 비어 있었다.", {
    korean: "정적자산 심볼릭링크 배포",
  }),
  plant(
    "GraphQL N+1 in reviewerAvatars",
    "Each pull request loaded its reviewers one by one; a loader batches them, 340 queries became 3.",
    {
      name: "reviewerAvatars",
      paraphrase: "too many small database lookups when listing code reviews",
    },
  ),
  plant(
    "Retry-After header is honoured",
    "The crawler hammered the API after a 429; sleepUntilRetryAfter reads seconds and dates.",
    {
      name: "sleepUntilRetryAfter",
      error: "429 Too Many Requests Retry-After crawler",
      paraphrase: "scraper should slow down when the site says it asks too often",
    },
  ),
  plant(
    "Decided against microfrontends",
    "Three teams share one shell; module federation doubled the bundle, so we keep one app with folders by owner.",
    {
      paraphrase: "should each team ship its own part of the web interface separately",
    },
  ),
  plant(
    "Timezone bug in weekly digest",
    "The digest went out on Sunday in Auckland: startOfIsoWeek used the server's zone.",
    {
      name: "startOfIsoWeek",
      paraphrase: "summary mail arrives on the wrong day in New Zealand",
    },
  ),
  plant(
    "Kubernetes pod evicted: ephemeral storage",
    "The node was low on resource: ephemeral-storage. spillSortBuffer wrote to /tmp without a limit.",
    {
      name: "spillSortBuffer",
      error: "The node was low on resource: ephemeral-storage evicted",
      paraphrase: "container was killed because temporary files filled the disk",
    },
  ),
  plant(
    "Keyboard trap in the date picker",
    "Tab never left the calendar; focusSentinel puts the focus back to the field.",
    {
      name: "focusSentinel",
      paraphrase: "people without a mouse cannot get out of the calendar popup",
    },
  ),
  plant(
    "SQLite busy errors with two writers",
    "SQLITE_BUSY: database is locked appeared under load; beginImmediateTx takes the lock at once.",
    {
      name: "beginImmediateTx",
      error: "SQLITE_BUSY database is locked two writers",
      paraphrase: "second process cannot write to the embedded database",
    },
  ),
  plant(
    "Upload of large files resumes",
    "tusChunkOffset is kept in the browser, so that a lost connection goes on where it stopped.",
    {
      name: "tusChunkOffset",
      paraphrase: "sending a big video starts from zero again after the wifi drops",
    },
  ),
];

function plant(title: string, narrative: string, questions: Planted["questions"]): Planted {
  const content: ItemContent = {
    type: "discovery",
    title,
    facts: [],
    narrative,
    filesRead: [],
    filesModified: [],
    concepts: [],
  };
  return { content, questions };
}
