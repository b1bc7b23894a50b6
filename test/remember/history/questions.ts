import type { QuestionKind } from "./evaluate.ts";

/**
 * What a developer types weeks later. An answer names a call or a turn of a story (session/key): a call is
 * answered by its observation, a turn by its summary, and with `?` also by its prompt, where the answer
 * is in the prompt itself. Any one of them is enough.
 */
export interface AskedQuestion {
  readonly qid: string;
  readonly kind: QuestionKind;
  readonly lang: "en" | "ko";
  /** The project in which it is asked, or null for all. */
  readonly project: string | null;
  readonly text: string;
  readonly answers: string;
}

/** kind | project or - | text | answers */
const TABLE = `
exact_name | tindra-shop | what is the webhook_events table for | shop-01/migration shop-01/ask
exact_name | - | orders_customer_created index | shop-04/index shop-04/ask
exact_name | tindra-shop | toMinor | shop-02/units shop-02/edit shop-02/minor
exact_name | - | PayForm.tsx data-hydrated | shop-03/edit shop-03/spec shop-03/ask
exact_name | riverbed | localize.py shift_forward | riv-02/fix riv-02/ask
exact_name | riverbed | s3_bucket fixture scope | riv-04/fix riv-04/conftest riv-04/ask
exact_name | - | gomemlimit | inf-01/fix inf-01/ask
exact_name | platform-infra | hpa.yaml stabilization window of the api | inf-05/fix inf-05/ask
exact_name | quill | where is ellipsize and why does it use graphemes | qui-04/fix qui-04/ask
exact_name | riverbed | read_partner_csv CP949 처리 어떻게 했더라 | riv-06/fix riv-06/iconv riv-06/ask
exact_name | baedal-api | batch fetch size 얼마로 했지 | bae-02/fix bae-02/ask
exact_name | - | POST_NOTIFICATIONS 권한 추가한 작업 | app-03/fix app-03/setup app-03/ask
exact_name | - | tryincrease 쿼리 어디 있지 | bae-01/fix bae-01/ask
exact_name | baedal-api | V84 store_name_ngram 마이그레이션 | bae-08/fix
exact_name | - | PointRestorer 왜 따로 뺐지 | bae-04/fix bae-04/restorer bae-04/ask
error_text | tindra-shop | TS2345 Decimal is not assignable to number in cart-total.ts | shop-02/tsc shop-02/edit shop-02/ask shop-02/minor
error_text | - | javascript heap out of memory in the web build | shop-05/build shop-05/log shop-05/edit shop-05/ask
error_text | - | pandas.errors.MergeError: Merge keys are not unique in right dataset | riv-01/err riv-01/fix riv-01/ask
error_text | - | pq: deadlock detected 40P01 | fer-03/log fer-03/fix fer-03/ask
error_text | ferry | range var c copies lock: Conn contains sync.Mutex | fer-04/vet fer-04/fix fer-04/ask
error_text | quill | E0502 cannot borrow self.postings as mutable | qui-01/err qui-01/fix qui-01/ask
error_text | - | Could not find directory of OpenSSL installation | qui-05/err qui-05/fix qui-05/tls
error_text | - | Error acquiring the state lock ConditionalCheckFailedException | inf-02/err inf-02/unlock inf-02/ask
error_text | baedal-api | MultipleBagFetchException cannot simultaneously fetch multiple bags 해결 방법 | bae-02/err bae-02/fix bae-02/ask
error_text | - | Unsupported class file major version 65 빌드 에러 | bae-05/err bae-05/fix bae-05/ask
error_text | baedal-app | setState() called after dispose() 에러 났던 화면 | app-04/err app-04/fix app-04/ask
error_text | - | ENHANCE_YOUR_CALM too_many_pings 이거 뭐였지 | fer-05/err fer-05/fix fer-05/ask
paraphrase | tindra-shop | why were people paid back more than once for the same purchase | shop-01/logs shop-01/migration shop-01/edit shop-01/ask
paraphrase | - | browser test that sometimes pressed a button too early | shop-03/edit shop-03/spec shop-03/ask
paraphrase | tindra-shop | back-office listing needed several seconds to open | shop-04/edit shop-04/explain shop-04/index shop-04/after shop-04/ask?
paraphrase | - | visitors were thrown back to the sign-in screen again and again | shop-06/edit shop-06/curl shop-06/ask?
paraphrase | riverbed | turnover figures came out twice as high as bookkeeping's | riv-01/validate riv-01/dups riv-01/fix riv-01/ask?
paraphrase | riverbed | hundreds of old jobs launched by themselves after a rename | riv-05/runs riv-05/fix riv-05/ask?
paraphrase | ferry | process kept eating more RAM until it was killed | fer-01/pprof fer-01/goroutines fer-01/read fer-01/fix fer-01/ask?
paraphrase | - | server hangs up on callers that check in too frequently | fer-05/err fer-05/fix fer-05/ask
paraphrase | quill | exclusion file had no effect for people on Microsoft's system | qui-02/ci qui-02/fix qui-02/ask?
paraphrase | quill | speeding up lookups of lots of terms in one pass | qui-03/edit qui-03/after qui-03/before qui-03/ask?
paraphrase | - | our home page showed an untrusted connection message in the morning | inf-03/openssl inf-03/order inf-03/fix inf-03/ask?
paraphrase | platform-infra | number of replicas bounced up and down all day | inf-05/hpa inf-05/fix inf-05/ask?
paraphrase | platform-infra | name resolution made outgoing requests slow | inf-06/dig inf-06/fix inf-06/ask
korean | baedal-api | 선착순 쿠폰이 한도보다 많이 나간 이유 | bae-01/test bae-01/fix bae-01/ask
korean | - | 정산 날짜가 하루씩 밀리던 원인 | bae-03/fix bae-03/ask
korean | - | 결제를 취소해도 포인트가 돌아오지 않던 버그 | bae-04/log bae-04/fix bae-04/restorer bae-04/ask?
korean | baedal-api | 알림톡 갑자기 발송 안 되던 장애 | bae-06/err bae-06/fix bae-06/fallback bae-06/ask?
korean | - | 플러스 버튼 연타하면 장바구니 개수가 꼬이던 문제 | app-02/fix app-02/ask?
korean | baedal-app | 안드로이드에서 푸시 알림을 못 받던 이유 | app-03/adb app-03/fix app-03/setup app-03/ask
korean | - | 지도 들어갔다 나오면 메모리 늘고 앱이 죽는 현상 | app-04/err app-04/fix app-04/ask?
korean | baedal-api | 가게 이름 앞부분만 쳐도 검색되게 고친 것 | bae-08/fix bae-08/ask
korean | - | 주문 조회할 때 쿼리 개수 어떻게 줄였어 | bae-02/fix bae-02/ask
korean | baedal-api | 정산 배치 오래 걸리던 거 어떻게 단축했지 | bae-10/fix bae-10/ask
decision | tindra-shop | why do we keep prices as integers instead of Decimal | shop-02/units shop-02/minor
decision | - | why not LaunchDarkly for feature flags | shop-07/table shop-07/flags
decision | riverbed | reasons for moving from Spark to DuckDB | riv-03/adr riv-03/duck
decision | platform-infra | blue/green or in place for the postgres upgrade, and why | inf-04/bg
decision | ferry | Debezium 말고 outbox로 간 이유 | fer-06/table fer-06/outbox
decision | - | 웹소켓 대신 SSE로 정한 이유가 뭐였지 | bae-07/stream bae-07/sse
decision | baedal-app | 상태 관리를 Riverpod로 옮기기로 한 이유 | app-05/adr app-05/riverpod
when_file | ferry | when did lru.go go from RWMutex to a plain Mutex | fer-02/fix fer-02/ask
when_file | quill | config.rs: change of where the config file is looked for | qui-06/fix qui-06/ask
when_file | - | truncate.rs 한글 파일 이름 panic 언제 고쳤지 | qui-04/err qui-04/fix qui-04/ask
`;

export const QUESTIONS: readonly AskedQuestion[] = TABLE.trim()
  .split("\n")
  .map((row, index) => {
    const [kind, project, text, answers] = row.split(" | ") as [QuestionKind, string, string, string];
    return {
      qid: `h${String(index + 1).padStart(2, "0")}`,
      kind,
      lang: /\p{Script=Hangul}/u.test(text) ? "ko" : "en",
      project: project === "-" ? null : `/home/dev/${project}`,
      text,
      answers,
    };
  });
