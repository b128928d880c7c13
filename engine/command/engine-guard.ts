/**
 * Ends running commands when this program is gone, however it ended: a small shell waits at a pipe that only this program holds open.
 */
import { type ChildProcess, spawn } from 'node:child_process';

/** A running program that must not outlive this one. */
interface GuardedProgram {
  readonly pid?: number | undefined;
}

/** How each program ends, by process id. */
const guarded = new Map<number, string>();
let guard: ChildProcess | undefined;

/**
 * Has the process group of a program end with this one. What has left the group stays. On Windows the system ends the program itself.
 * @param started leads its own group
 * @returns call it when the program has ended; what it has left running then stays
 */
export function endGroupWithEngine(started: GuardedProgram): () => void {
  return guardAs(started, 'group');
}

/**
 * The same for a program in the group of this one, such as a server: on Linux all in that group end that have its mark, elsewhere the
 * program and its children.
 * @param mark what `commandMark` is in its environment
 */
export function endServerWithEngine(started: GuardedProgram, mark: string): () => void {
  return guardAs(started, `server ${mark}`);
}

function guardAs({ pid }: GuardedProgram, how: string): () => void {
  if (pid === undefined || process.platform === 'win32') return () => undefined;
  guarded.set(pid, how);
  if (guard === undefined) startGuard();
  else tell(`+ ${pid} ${how}`);
  return () => {
    if (guarded.get(pid) !== how) return;
    guarded.delete(pid);
    tell(`- ${pid}`);
  };
}

function tell(line: string): void {
  guard?.stdin?.write(`${line}\n`);
}

/** Starts one guard for all commands of this program, in a separate session: a signal to this one does not reach it. */
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
  // Another one starts with the next command, and gets to know all that run.
  child.once('exit', forget);
  child.stdin.on('error', () => undefined);
  child.unref();
  (child.stdin as unknown as { unref(): void }).unref();
  for (const [pid, how] of guarded) tell(`+ ${pid} ${how}`);
}

/**
 * Reads one line for each program that starts (`+ PID group`, `+ PID server MARK`) or ends (`- PID`), until the pipe closes. An id may be
 * given to another process once its own has ended, so a program is known by the moment of its start as well. Needs nothing but a POSIX
 * shell; where there is no `/proc`, also `ps`.
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
end_server() {
  wanted=$2
  if [ -e /proc/self/stat ]; then
    set +f
    for file in $(grep -ls "MILLRACE_COMMAND=$3" /proc/[0-9]*/environ); do
      one=\${file#/proc/}
      one=\${one%%/*}
      if look "$one" && [ "$group" = "$wanted" ]; then kill -s KILL "$one"; fi
    done
  else
    for one in $(ps -A -o ppid= -o pid= | while read -r parent child; do
      [ "$parent" = "$1" ] && echo "$child"
    done); do kill -s KILL "$one"; done
  fi
  kill -s KILL "$1"
}
while read -r what pid how mark; do
  forget "$pid"
  [ "$what" = + ] && look "$pid" && held="$held $pid,$start,$group,$how,$mark"
done
for entry in $held; do
  IFS=, read -r pid known home how mark <<END
$entry
END
  if look "$pid"; then
    [ "$start" = "$known" ] || continue
    [ "$how" = server ] && end_server "$pid" "$home" "$mark"
  fi
  [ "$how" = group ] && kill -s KILL -- "-$pid"
done
`.replaceAll('\\$', '$');
