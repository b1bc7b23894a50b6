// A coding history of any length, deterministic per seed: words by Zipf's law, names built from them, paths,
// errors, some Korean. It reads like notes, not prose; only the word frequencies matter.

import type { ItemContent } from "../../src/memory/memory-item.ts";

export interface HistoryItem {
  readonly session: string;
  readonly project: string;
  readonly tool: string;
  readonly branch: string;
  readonly success: boolean;
  readonly createdMs: number;
  readonly content: ItemContent;
  readonly input: Readonly<Record<string, string>>;
  readonly output: string;
}

const BASE_WORDS =
  `file test error function value data user request response config type list string index query table row column key
   cache token session server client route handler event state store module import export class method object array
   number path folder name build deploy branch commit merge diff patch release version package dependency lock install
   update remove add create delete rename move copy read write open close parse render format validate check verify
   load save fetch send receive retry timeout limit queue worker thread process signal memory buffer stream chunk byte
   socket port host header cookie login password secret permission role policy rule filter sort group count sum average
   date time zone clock timer schedule job batch task migration schema constraint transaction rollback lease cursor page
   offset scroll button form input modal dialog menu icon color theme style layout grid margin padding font image upload
   download archive compress encrypt hash sign certificate proxy gateway cluster node shard replica leader election
   heartbeat metric trace span log level warning debug profile benchmark latency throughput budget regression flaky
   coverage fixture mock stub snapshot assertion expectation failure exception crash panic leak deadlock race condition
   mutex semaphore atomic counter generator iterator promise callback closure scope binding context provider hook effect
   reducer selector action middleware plugin adapter driver backend frontend endpoint payload serializer encoder decoder
   tokenizer parser lexer compiler linker bundler transpiler linter formatter generic interface inheritance polymorphism
   template macro annotation decorator reflection runtime bootstrap shutdown restart rollout canary feature flag toggle
   webhook subscription invoice payment refund currency discount coupon order cart checkout shipment inventory catalog
   search ranking embedding vector score threshold recall precision sample cluster tree graph edge vertex depth cycle
   matrix tensor gradient epoch kernel shader texture mesh camera sprite physics collision sensor firmware register
   interrupt pipeline cacheline prefetch alignment endian overflow underflow precision rounding locale translation
   plural currency calendar holiday reminder notification email template attachment inbox thread mention reaction`
    .split(/\s+/)
    .filter((word) => word !== "");

const KOREAN_NOUNS =
  "파일 함수 오류 설정 데이터베이스 연결 사용자 로그인 비밀번호 세션 토큰 요청 응답 서버 배포 테스트 성능 메모리 캐시 색인 검색 결제 주문 재고 알림 번역 권한 정책 일정 화면 버튼 메뉴 이미지 업로드 로그 경로 모듈 버전 의존성 마이그레이션".split(
    " ",
  );
const KOREAN_ENDS =
  "를 수정했다|가 실패했다|을 추가했다|를 삭제했다|가 느려서 고쳤다|를 확인했다|을 다시 시도했다".split("|");
const FILLERS = "the a of to in and is for with on that was it as be by from not this".split(" ");
const TYPES = ["discovery", "change", "fix", "decision", "failure", "command", "test"] as const;
const TOOLS = ["Read", "Edit", "Bash", "Grep", "Write"];
const ERRORS = [
  "TypeError",
  "ENOENT",
  "ECONNREFUSED",
  "AssertionError",
  "SyntaxError",
  "timeout",
  "segfault",
];
const PROJECTS = 60;
const FIRST_MS = Date.parse("2025-01-01T00:00:00Z");

/** Returns numbers from 0 to 1, the same sequence for the same seed. */
export function createSeededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Three thousand words: the base list, and rarer compounds of two. */
export const VOCABULARY: readonly string[] = [
  ...new Set([
    ...BASE_WORDS,
    ...BASE_WORDS.flatMap((word, index) =>
      [7, 31, 59, 83, 101, 149, 197].map(
        (step) => `${word}${BASE_WORDS[(index * 3 + step) % BASE_WORDS.length]!}`,
      ),
    ),
  ]),
].slice(0, 3_000);

const ZIPF = zipfTable(VOCABULARY.length, 12);

export function historyItem(index: number, total: number): HistoryItem {
  const random = createSeededRandom(index * 2_654_435_761 + 1);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
  const word = (): string => VOCABULARY[lookUp(ZIPF, random())]!;
  const name = (): string => `${word()}${capital(word())}${random() < 0.5 ? capital(word()) : ""}`;
  const sentence = (length: number): string =>
    Array.from({ length }, () => (random() < 0.4 ? pick(FILLERS) : random() < 0.12 ? name() : word())).join(
      " ",
    );
  const project = `/home/dev/project-${Math.floor(random() ** 2 * PROJECTS)}`;
  const files = Array.from({ length: 1 + Math.floor(random() * 2) }, () => {
    const folder = `${BASE_WORDS[Math.floor(random() * 40)]}/${BASE_WORDS[Math.floor(random() * 90)]}`;
    return `${project}/src/${folder}-${word()}.ts`;
  });
  const isKorean = random() < 0.1;
  const korean = (): string => `${pick(KOREAN_NOUNS)} ${pick(KOREAN_NOUNS)}${pick(KOREAN_ENDS)}`;
  const error = `${pick(ERRORS)}: ${sentence(6)} at ${name()}:${Math.floor(random() * 900)}`;
  const success = random() > 0.15;
  return {
    session: `session-${Math.floor(index / 40)}`,
    project,
    tool: pick(TOOLS),
    branch: random() < 0.6 ? "main" : `feature/${word()}`,
    success,
    createdMs: FIRST_MS + Math.floor((index / total) * 365 * 86_400_000),
    content: {
      type: pick(TYPES),
      title: isKorean ? `${korean()} (${name()})` : sentence(7),
      facts: [sentence(10), ...(success ? [] : [error])],
      narrative: isKorean ? `${korean()}. ${korean()}. ${korean()}` : sentence(25),
      filesRead: files,
      filesModified: [],
      concepts: [word(), word()],
    },
    input: { file_path: files[0]!, description: sentence(6) },
    output: `${sentence(40)}\n${success ? "" : error}`,
  };
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Running sums of 1 / (rank + shift): the most frequent word occurs in about a third of all items. */
function zipfTable(size: number, shift: number): Float64Array {
  const table = new Float64Array(size);
  let sum = 0;
  for (let rank = 0; rank < size; rank++) table[rank] = sum += 1 / (rank + shift);
  return table.map((value) => value / sum);
}

function lookUp(table: Float64Array, at: number): number {
  let [low, high] = [0, table.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (table[middle]! < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
