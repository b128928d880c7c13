/**
 * Ends running commands when this program exits for any reason: a small shell waits on a pipe that only this program
 * keeps open.
 */
import { type ChildProcess, spawn } from 'node:child_process';

/** Programs that must not outlive this one, by the value of `commandMark` in their environments. */
const guarded = new Map<string, Guarded>();
let guard: ChildProcess | undefined;

interface Guarded {
  readonly how: How;
  /** Absent until the program has started. */
  pid?: number;
}

/**
 * The processes to end. `group`: the program, which leads its own group, and all processes in this group, but not those
 * that have left it. `server`: the program, which is in this program's group; on Linux, all processes in that group
 * with its mark; elsewhere, the program and its children.
 */
type How = 'group' | 'server';

export interface ProgramGuard {
  /** Value of `commandMark` in the program's environment. */
  readonly mark: string;
  /** Must be called as soon as the program has started. */
  started(program: { readonly pid?: number | undefined }): void;
  /** Must be called when the program has ended or failed to start. Processes that it left running are then kept. */
  letGo(): void;
}

/**
 * Ensures that a program ends with this one. Must be called before the program starts: on Linux, the guard finds it by
 * its mark if this program is killed before it could record the ID. On Windows, the system ends the program itself.
 * @param mark value of `commandMark` in the environment of this program only
 */
export function guardProgram(mark: string, how: How): ProgramGuard {
  if (process.platform === 'win32') return { mark, started: () => undefined, letGo: () => undefined };
  const entry: Guarded = { how };
  guarded.set(mark, entry);
  if (guard === undefined) startGuard();
  else tell(mark, entry);
  return {
    mark,
    started({ pid }) {
      if (pid === undefined || !guarded.has(mark)) return;
      entry.pid = pid;
      tell(mark, entry);
    },
    letGo() {
      if (guarded.delete(mark)) write(`- ${mark}`);
    },
  };
}

function tell(mark: string, { how, pid }: Guarded): void {
  write(pid === undefined ? `? ${mark} ${how}` : `+ ${mark} ${how} ${pid}`);
}

/** The line is in the pipe when this returns, unless earlier lines are waiting for space. */
function write(line: string): void {
  guard?.stdin?.write(`${line}\n`);
}

/**
 * Starts one guard for all of this program's commands, in a separate session, so that it does not receive signals sent
 * to this program.
 */
function startGuard(): void {
  const child = spawn('/bin/sh', ['-c', waitingShell], {
    cwd: '/',
    env: { PATH: process.env['PATH'] ?? '/usr/bin:/bin' },
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  guard = child;
  const forget = (): void => {
    if (guard === child) guard = undefined;
  };
  child.once('error', forget);
  // If the guard exits, the next command starts another one, which receives all running programs.
  child.once('exit', forget);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  for (const [mark, entry] of guarded) tell(mark, entry);
}

/**
 * Reads one line for each program that is about to start (`? MARK HOW`), has started (`+ MARK HOW PID`) or has ended
 * (`- MARK`), until the pipe closes. IDs can be reused after a process has ended, so a program is also identified by
 * its start time. Requires only a POSIX shell, and `ps` on systems without `/proc`.
 *
 * A process forked by the engine holds the pipe until it executes the program. Once the pipe has closed, all programs
 * that were about to start can therefore be found by their marks. Their environment may only become readable a moment
 * later, so the guard checks several times.
 */
const waitingShell = String.raw`
set -f
trap '' HUP INT TERM QUIT
held=
look() {
  start= group=
  if [ -e /proc/self/stat ]; then
    { IFS= read -r line <"/proc/$1/stat"; } 2>/dev/null || return 1
    set -- \${line##*) }
    group=$3 start=\${20}
  else
    start=$(ps -o lstart= -p "$1" | tr ' ' _)
    [ -n "$start" ]
  fi
}
forget() {
  kept=
  for entry in $held; do
    [ "\${entry%%,*}" = "$1" ] || kept="$kept $entry"
  done
  held=$kept
}
marked() {
  set +f
  grep -ls "MILLRACE_COMMAND=$1" /proc/[0-9]*/environ | while IFS=/ read -r none proc one file; do echo "$one"; done
  set -f
}
end_server() {
  wanted=$2
  if [ -e /proc/self/stat ]; then
    for one in $(marked "$3"); do
      if look "$one" && [ "$group" = "$wanted" ]; then kill -s KILL "$one"; fi
    done
  else
    for one in $(ps -A -o ppid= -o pid= | while read -r parent child; do
      [ "$parent" = "$1" ] && echo "$child"
    done); do kill -s KILL "$one"; done
  fi
  kill -s KILL "$1"
}
end_unknown() {
  for one in $(marked "$1"); do
    look "$one" && [ "$2" = group ] && kill -s KILL -- "-$group"
    kill -s KILL "$one"
  done
}
while read -r what mark how pid; do
  forget "$mark"
  case $what in
    '?') held="$held $mark,$how" ;;
    +) look "$pid" && held="$held $mark,$how,$pid,$start,$group" ;;
  esac
done
unknown=
for entry in $held; do
  IFS=, read -r mark how pid known home <<END
$entry
END
  if [ -z "$pid" ]; then
    unknown="$unknown $mark,$how"
    continue
  fi
  if look "$pid"; then
    [ "$start" = "$known" ] || continue
    [ "$how" = server ] && end_server "$pid" "$home" "$mark"
  fi
  [ "$how" = group ] && kill -s KILL -- "-$pid"
done
[ -n "$unknown" ] && [ -e /proc/self/stat ] || exit 0
for round in 1 2 3 4 5; do
  for entry in $unknown; do end_unknown "\${entry%,*}" "\${entry#*,}"; done
  sleep 0.2 || sleep 1
done
`.replaceAll('\\$', '$');
