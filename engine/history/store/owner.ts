/**
 * Identifies the process that runs a run, on this or another machine, and distinguishes it from a later process with
 * the same id.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

export interface Owner {
  readonly host: string;
  readonly pid: number;
  /** Start of the process, different for each process; empty if the system does not report it. */
  readonly start: string;
}

/** Returns this process. */
export function currentOwner(): Owner {
  return { host: hostname(), pid: process.pid, start: processStart(process.pid) ?? '' };
}

/**
 * Returns whether the process is still running. A zombie counts as dead. If the process cannot be identified (on
 * another machine, or on a system without start times), an unexpired lease counts as alive.
 * @param lease its end and the current time, in epoch milliseconds
 */
export function isOwnerAlive(owner: Owner, lease: { readonly until: number; readonly now: number }): boolean {
  const isLeased = lease.until > lease.now;
  if (owner.host !== hostname()) {
    return isLeased;
  }
  if (owner.start !== '') {
    const start = processStart(owner.pid);
    if (start !== undefined) {
      return start === owner.start;
    }
  }
  return isLeased && processExists(owner.pid);
}

/** Returns the start of the process as text, unique since this machine's boot; an empty string for a zombie. */
function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in parentheses, which may contain anything. The third is the state, and
    // the 22nd is the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isDead = fields[0] === 'Z' || fields[0] === 'X';
    return isDead ? '' : `${bootId()}:${fields[19]}`;
  } catch {
    return undefined;
  }
}

function bootId(): string {
  return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM means that the process is running as another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
