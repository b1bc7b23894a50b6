/**
 * Kills processes with everything they started. Written in `sh`, because its main user is a watchdog that
 * survives our being killed, and that must be small.
 *
 * A process is named `pid/start/mark`: its start time (`-` where the system does not report it) and the mark
 * in its environment. It owns its descendants, the members of its group and session, the same for each of
 * those, and (where `/proc` shows environments) anything that carries the mark, however it detached.
 * Everything found once is remembered, because a child whose parent died has no other link. TERM first, KILL
 * after about a second, and again until nothing is found.
 */
const SWEEP_SCRIPT = `
look() {
  if [ -r /proc/self/stat ]; then
    marked=
    patterns=
    for word in $1; do
      mark=\${word##*/}
      [ "$mark" = - ] || patterns="$patterns -e ${"$"}{mark}"
    done
    [ -z "$patterns" ] || marked=$(grep -lF $patterns /proc/[0-9]*/environ 2>/dev/null | tr -c '0-9\\n' ' ')
    cat /proc/[0-9]*/stat 2>/dev/null | awk -v proc=1 -v seeds="$1" -v marked="$marked" -v self=$$ "$JUDGE"
  else
    ps -axo pid=,ppid=,pgid=,stat= | awk -v proc=0 -v seeds="$1" -v marked= -v self=$$ "$JUDGE"
  fi
}

JUDGE='
proc && /^[0-9]+ [(].*[)] [A-Za-z] / {
  pid = $1; rest = $0; sub(/^.*[)] /, "", rest); n = split(rest, f, " ")
  if (n < 20) next
  state[pid] = f[1]; parent[pid] = f[2]; group[pid] = f[3]; session[pid] = f[4]; start[pid] = f[20]
}
!proc { pid = $1; parent[pid] = $2; group[pid] = $3; session[pid] = 0; state[pid] = $4; start[pid] = "-" }
END {
  n = split(seeds, words, " ")
  for (i = 1; i <= n; i++) {
    split(words[i], part, "/"); p = part[1]
    if (p in state && part[2] != "-" && start[p] != part[2]) continue
    if (p > 1) { mine[p] = 1; began[p] = part[2] }
  }
  n = split(marked, words, " ")
  for (i = 1; i <= n; i++) if (words[i] in state) mine[words[i]] = 1
  do {
    more = 0
    for (p in state) if (!(p in mine) && p > 1 && (parent[p] in mine || group[p] in mine || session[p] in mine)) {
      mine[p] = 1; more = 1
    }
  } while (more)
  delete mine[self]
  for (p in mine) {
    print p "/" (p in state ? start[p] : (p in began ? began[p] : "-")) "/-"
    if (p in state && state[p] !~ /^[ZX]/) print "+" p
  }
}'

sweep() {
  seeds=$1
  known=$seeds
  signalled=' '
  round=0
  while [ $round -lt 24 ]; do
    alive=
    found=$(look "$seeds $known")
    known=
    for word in $found; do
      case $word in
        +*) alive="$alive \${word#+}" ;;
        *) known="$known $word" ;;
      esac
    done
    [ -n "$alive" ] || return 0
    for pid in $alive; do
      if [ $round -ge 7 ]; then
        kill -KILL $pid 2>/dev/null
      else
        case $signalled in
          *" $pid "*) ;;
          *) signalled="$signalled$pid "; kill -TERM $pid 2>/dev/null ;;
        esac
      fi
    done
    sleep 0.1
    round=$((round + 1))
  done
  return 1
}
`;

/** Sweeps the processes named by its arguments; fails if any is left. */
export const SWEEP_ONCE = `${SWEEP_SCRIPT}
trap '' HUP INT
sweep "$*"
`;

/**
 * Reads `+ name` and `- name` until its input ends, which happens however we exit, then sweeps what is left
 * in the list.
 */
export const WATCH_AND_SWEEP = `${SWEEP_SCRIPT}
trap '' HUP INT TERM QUIT PIPE
list=' '
while read -r sign name; do
  case $sign in
    +) list="$list$name " ;;
    -) case $list in *" $name "*) list="\${list%% $name *} \${list#* $name }" ;; esac ;;
  esac
done
[ "$list" = ' ' ] || sweep "$list"
`;
