import type { SentencePair } from "./translate.ts";

/** Recipes: descriptions, requirements and options. */
export const koRecipes: readonly SentencePair[] = [
  ["Format each file the agent edits", "에이전트가 편집한 파일을 자동 포맷"],
  [
    "a formatter (biome or prettier in the project, ruff, black, gofmt, rustfmt) or your own command",
    "포매터(프로젝트의 biome 또는 prettier, ruff, black, gofmt, rustfmt) 또는 직접 지정한 명령",
  ],
  [
    'command to run on "$HOOKLINE_FILE" (empty: detect the formatter)',
    '"$HOOKLINE_FILE"에 실행할 명령(비워 두면 포매터 자동 감지)',
  ],
  ["Commit each file the agent edits, one commit per file", "에이전트가 편집한 파일마다 커밋 생성"],
  ["git", "git"],
  ["commit subject (empty: the tool and the file)", "커밋 제목(비워 두면 도구와 파일 이름)"],
  ["Ask before these files are changed", "지정한 파일을 변경하기 전에 확인 요청"],
  ["`hookline install --guard` for terminal sessions", "터미널 세션에는 `hookline install --guard`"],
  ["comma-separated globs, e.g. migrations/**,*.lock", "쉼표로 구분한 glob 패턴, 예: migrations/**,*.lock"],
  ["Start each session on its own branch", "세션마다 새 브랜치에서 시작"],
  ["git, and at least one commit", "git, 커밋 1개 이상"],
  ["branch name prefix", "브랜치 이름 접두사"],
  ["Give the agent the git status, recent commits and TODOs", "에이전트에게 git 상태, 최근 커밋, TODO 제공"],
  [
    "SessionStart, or UserPromptSubmit to repeat it with each prompt",
    "SessionStart, 또는 프롬프트마다 반복하려면 UserPromptSubmit",
  ],
  [
    "Remind the agent of a skill when a prompt mentions a keyword",
    "프롬프트에 키워드가 있으면 에이전트에게 스킬 안내",
  ],
  ["the skill", "스킬"],
  ["regular expression to look for in the prompt", "프롬프트에서 찾을 정규식"],
  ["name of the skill", "스킬 이름"],
  [
    "Back up the transcript before compaction and keep the last 20 copies",
    "압축 전에 대화 기록을 백업하고 최근 20개 보관",
  ],
  ["target folder (empty: backups in Hookline's home)", "대상 폴더(비워 두면 Hookline 홈의 backups)"],
  [
    "Append a session's metrics and summary to a JSONL file when it ends",
    "세션이 끝나면 지표와 요약을 JSONL 파일에 추가",
  ],
  [
    "target file (empty: metrics.jsonl in Hookline's home)",
    "대상 파일(비워 두면 Hookline 홈의 metrics.jsonl)",
  ],
  [
    "Show a desktop notification when a session is waiting for you",
    "세션이 응답을 기다리면 데스크톱 알림 표시",
  ],
  ["notify-send, or macOS", "notify-send 또는 macOS"],
  ["notification text", "알림 문구"],
  [
    "Run the tests when the agent stops after editing; if they fail, send the agent back with the output",
    "편집 후 에이전트가 멈추면 테스트를 실행하고, 실패하면 출력을 전달해 작업을 계속하게 함",
  ],
  [
    "a test command (npm test, cargo, go, pytest) or your own",
    "테스트 명령(npm test, cargo, go, pytest) 또는 직접 지정한 명령",
  ],
  ["command that runs the tests (empty: detect it)", "테스트 명령(비워 두면 자동 감지)"],
  ["how many times in a row to send the agent back", "에이전트에게 작업을 계속하게 할 최대 연속 횟수"],
  ["time limit in seconds", "제한 시간(초)"],
  [
    "Check that all dependencies are installed in the declared versions when the agent stops after editing",
    "편집 후 에이전트가 멈추면 모든 의존성이 선언된 버전으로 설치되어 있는지 확인",
  ],
  ["npm, pip in .venv, cargo, go or your own command", "npm, .venv의 pip, cargo, go 또는 직접 지정한 명령"],
  ["command that checks them (empty: detect it)", "확인 명령(비워 두면 자동 감지)"],
  [
    "Report the number of uncommitted files at the end of each turn",
    "턴이 끝날 때마다 커밋하지 않은 파일 수 표시",
  ],
  [
    "Send the agent back if it claims that tests pass but none has passed since the last edit",
    "마지막 편집 이후 통과한 테스트가 없는데 통과했다고 하면 에이전트에게 작업을 계속하게 함",
  ],
  ["regular expression that matches such a claim", "그런 주장을 찾을 정규식"],
  [
    "tool matcher for the step that must have passed (empty: common test commands)",
    "통과해야 하는 단계의 도구 매처(비워 두면 일반적인 테스트 명령)",
  ],
  [
    "Require a step first: no commit after an edit until the tests pass",
    "선행 단계 요구: 편집 후 테스트를 통과하기 전에는 커밋 금지",
  ],
  ["tool matcher for the call that must wait", "선행 단계가 필요한 호출의 도구 매처"],
  ["message to the agent", "에이전트에게 보낼 메시지"],
];
