/** Text cues about a piece of work, in English and Korean. Heuristics, not grammar: a mistake is cheap. */

/** Mentions something broken that is being fixed. */
export function mentionsFix(text: string): boolean {
  return FIX.test(text) || (PROBLEM.test(text) && !NOT_A_PROBLEM.test(text));
}

const FIX =
  /\b(?:(?:hot|bug)?fix(?:es|ed|ing)?(?![- ](?:width|size|length|point|position|height))|bugs?|regressions?|crash(?:es|ed|ing)?|broken|defects?|repair(?:s|ed|ing)?|root cause|off[- ]by[- ]one|wrong(?:ly)?)\b|버그|고쳐|고치|고쳤|고침|오류|에러|깨지|깨진|결함|잘못된/i;
const PROBLEM =
  /\b(?:errors?|fail(?:s|ed|ing|ures?)?|doesn't work|does not work|not working)\b|실패|안 되|안돼/i;
const NOT_A_PROBLEM =
  /\berror[- ](?:handling|messages?|pages?|boundar(?:y|ies)|codes?|types?|class(?:es)?|logging|states?)\b|\bfailure mode/i;

/** States a choice that was made. */
export function statesDecision(text: string): boolean {
  return DECISION.test(text);
}

const DECISION =
  /\b(?:decided|decision|settled on|we(?:'ll| will| should)? (?:use|go with|keep|stick with|choose|chose)\b.{0,160}\b(?:because|since|so that|instead|rather)|I(?:'ll| will| chose to| choose to)? ?(?:use|go with|keep|stick with)\b.{0,160}\b(?:because|since|so that)|opt(?:ed|ing) (?:for|to)|going with|chose|the (?:right|better|best) (?:choice|approach|option) is)\b|하기로|결정(?:했|하|됨|함|을|은)|채택|선택했/i;

/** Weighs alternatives. */
export function weighsChoice(text: string): boolean {
  return /\b(?:instead of|rather than|in favou?r of|trade-?offs?)\b|대신|보다는/i.test(text);
}

/** States a finding. */
export function statesFinding(text: string): boolean {
  return FINDING.test(text) && !INTENT.test(text);
}

const FINDING =
  /\b(?:because|(?:root )?causes?(?:d by)?|turns? out|turned out|it seems|it appears|apparently|the (?:problem|issue|bug|reason|culprit|catch) (?:is|was)|due to|which means|this means|found that|discovered|realiz|realis|learned|confirmed|confirms|actually|the fix was|only happens|happens when|results? (?:in|from))\b|원인|때문|확인(?:했|됐|됨|결과|한)|알고 보니|밝혀|발견|파악|이유는|즉,/i;

/** Announces the next action rather than a finding. */
const INTENT =
  /^(?:(?:now|next|first|then|actually|ok(?:ay)?|so|great|good)[,.]? )*(?:let me|let's|I'll|I will|I'm going to|I need to)\b|(?:겠습니다|[할볼을게]게요)[.!]?$/i;

export function statesIntent(text: string): boolean {
  return INTENT.test(text);
}

/** Says that something is done. */
export function statesDone(text: string): boolean {
  return DONE.test(text) && !INTENT.test(text) && !OPEN.test(text) && !NEXT_LABEL.test(text);
}

const DONE_VERBS =
  "fixed|added|updated|implemented|removed|renamed|refactored|created|replaced|moved|migrated|wrote|changed|improved|introduced|extracted|deleted|resolved|corrected|configured|enabled|disabled|merged|committed|documented|rewrote|made|upgraded|switched|simplified|wired|published|released|deployed|installed";
const DONE = new RegExp(
  `^(?:[-*•✅✓☑] ?)*(?:\\*\\*)?(?:done\\b|all (?:tests|checks) (?:now )?pass|everything (?:now )?(?:works|passes)|(?:I(?:'ve| have)? |we(?:'ve| have)? )?(?:now |also |successfully )*(?:${DONE_VERBS})\\b)|\\b(?:has|have) been (?:${DONE_VERBS})\\b|\\b(?:is|are) now \\w|\\bnow (?:rounds?|returns?|uses?|works?|passes|handles?|throws?|supports?|checks?|reads?|writes?)\\b|(?:수정|추가|구현|완료|변경|삭제|제거|적용|반영|작성|해결|개선|이동|생성)(?:을|를)?(?: 완료)?(?:했|하였|되었|됐|함|됨|완료)|고쳤|만들었|바꿨`,
  "i",
);

/** States open work. A decision counts only if it explicitly says so. */
export function statesOpenWork(text: string): boolean {
  if (NEXT_LABEL.test(text)) return true;
  if (!OPEN.test(text) || GOOD_NEWS.test(text)) return false;
  return !DECISION.test(text) || CLEARLY_OPEN.test(text);
}

/** Strips the label that announces a step: `Next: add it` becomes `add it`. */
export function withoutNextLabel(text: string): string {
  const rest = text.replace(NEXT_LABEL, "").trim();
  return rest === "" ? text : rest;
}

/** "Next:", "Next steps -", "TODO:", "다음:", "남은 작업:" before a step. */
const NEXT_LABEL =
  /^(?:(?:and |so )?(?:what's |what is )?next(?: up| steps?| tasks?| action)?|to-?dos?|(?:still )?remaining(?: (?:work|steps?|tasks?))?|follow-?ups?|left to do|still open|다음(?: ?(?:단계|작업|할 ?일|과제|순서))?(?:은|는|으로)?|남은 ?(?:작업|일|것|과제)(?:은|는)?|할 ?일(?:은)?|앞으로 ?할 ?일|추후 ?(?:작업|과제)?|이후 ?(?:작업|과제)?|次(?:の(?:ステップ|作業))?|残り(?:の作業)?|下一步|待办)\s*(?:[:：,，]|[-–—]\s)\s*/i;

const OPEN =
  /\b(?:next steps?|next up|remaining|remains?|to-?do|still(?! (?:works?|pass(?:es)?|green|fine))|not yet|yet to|should|you (?:need to|may want to|might want to)|needs? to be|left to do|follow-?ups?|later|pending|blocked (?:on|by)|unfinished|incomplete|haven't|hasn't been|wasn't able|couldn't)\b|다음(?: ?단계|으로|에는|엔|은)|남은|남아|해야|필요(?:합니다|함|해요|하다)|아직|미완|예정|못했/i;
const CLEARLY_OPEN =
  /\b(?:next steps?|next up|remaining|remains?|to-?do|still|not yet|yet to|left to do|follow-?ups?|pending|blocked (?:on|by)|unfinished|incomplete)\b|다음 ?단계|남은|남아|아직|미완/i;
const GOOD_NEWS =
  /\bshould (?:now )?(?:be (?:fine|good|ok|okay|fixed)|work|pass)\b|\b(?:nothing|no \w+) (?:remains?|remaining|left|pending)\b/i;

/** A heading above a list of open work. */
export function isOpenHeading(line: string): boolean {
  return /^(?:#{1,6} |\*\*)?\s*(?:next(?: (?:steps?|up|tasks?))?|remaining(?: \w+)?|to-?dos?|follow-?ups?|open (?:items|work|questions|points)|left to do|what(?:'s| is) (?:next|left)|다음(?: ?(?:단계|작업|할 ?일))?|남은 ?(?:작업|일|것)|할 ?일|앞으로 ?할 ?일|추후 ?작업|이후 ?작업)\s*(?:\*\*)?[:：]?(?:\*\*)?$/i.test(
    line,
  );
}
