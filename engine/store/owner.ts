/**
 * Who runs a run: a process of this machine, distinct from a later one with the same number, or of another machine.
 */
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';

export interface Owner {
  readonly host: string;
  readonly pid: number;
  /** Changes with every start of a process; empty where the system does not say. */
  readonly start: string;
}

/** This process. */
export function currentOwner(): Owner {
  return { host: hostname(), pid: process.pid, start: processStart(process.pid) ?? '' };
}

/**
 * Whether the process still runs. A zombie is dead. Where the process cannot be recognized (another machine, or a system
 * that does not say when a process started) a live lease decides.
 * @param lease its end and the present time, in epoch milliseconds
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

/** When the process started, as text that no other process has had since this machine's start; '' for a zombie. */
function processStart(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything; the third is the state, the 22nd the start.
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
    // EPERM: it runs, under another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
