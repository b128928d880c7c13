/**
 * Runs processes that are killed at any moment and followed by others that resume, and inspects what they leave behind.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../base/clock.ts';
import type { RunId } from '../base/ids.ts';
import { openDb } from '../history/store/db.ts';
import { currentOwner } from '../history/store/owner.ts';
import { openRunStore } from '../history/store/sqlite-run-store.ts';
import { readLog } from '../host/reads/read-log.ts';
import { isValueHandle } from '../language/json/value-handle.ts';
import type { EventEnvelope } from '../runtime/kernel/events/run-event.ts';
import type { RunStatus } from '../runtime/kernel/events/run-state.ts';
import type { ChaosNews, ChaosOrder } from './chaos-order.ts';
import { bundleChildProgram, type ChildProgram } from './child-program.ts';

let chaosProgram: Promise<ChildProgram> | undefined;

/** Bundles the program that executes orders: once for all test files of a process, and removed with it. */
export function bundleChaosProgram(): Promise<ChildProgram> {
  chaosProgram ??= bundleChildProgram(fileURLToPath(new URL('chaos-child.ts', import.meta.url))).then((program) => {
    process.once('exit', () => program.remove());
    return program;
  });
  return chaosProgram;
}

export interface Plan {
  readonly order: ChaosOrder;
  readonly killAfterMs?: number;
}

export interface Session {
  readonly wasKilled: boolean;
  readonly news: readonly ChaosNews[];
  /** Time since the first message, in milliseconds. */
  readonly lengthMs: number;
}

/** Runs one process to its end, or kills it this long after its first message. */
export async function runSession(
  program: ChildProgram,
  folder: string,
  { order, killAfterMs }: Plan,
): Promise<Session> {
  const child = spawn(process.execPath, [program.file, folder, JSON.stringify(order)]);
  const closed = new Promise<{ code: number | null; signal: string | null }>((resolve) =>
    child.once('close', (code, signal) => resolve({ code, signal })),
  );
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  const news: ChaosNews[] = [];
  let startedAt = 0;
  createInterface(child.stdout).on('line', (line) => {
    if (news.length === 0) {
      startedAt = performance.now();
      if (killAfterMs !== undefined) setTimeout(() => child.kill('SIGKILL'), killAfterMs).unref();
    }
    news.push(JSON.parse(line) as ChaosNews);
  });
  const { code, signal } = await closed;
  const wasKilled = signal === 'SIGKILL';
  if (!wasKilled && code !== 0) throw new Error(`The process failed: ${errors}`);
  return { wasKilled, news, lengthMs: performance.now() - startedAt };
}

export interface Found {
  readonly runId: RunId;
  readonly status: RunStatus;
  readonly log: readonly EventEnvelope[];
}

/** Checks that the file is intact and contains a single run with a log without gaps. */
export async function inspect(folder: string): Promise<Found> {
  const file = path.join(folder, 'runs.db');
  const db = await openDb(file);
  const found = JSON.stringify(db.all('PRAGMA integrity_check'));
  if (found !== '[{"integrity_check":"ok"}]') throw new Error(`The file is damaged: ${found}`);
  db.close();
  const store = await openRunStore({ file, clock: systemClock, owner: currentOwner() });
  try {
    const [run, ...others] = store.listRuns({ limit: 10 });
    if (run === undefined || others.length > 0) throw new Error('There must be one run');
    const log = [...readLog(store, run.runId)].map((envelope) =>
      withWholeValues(envelope, store.readValue.bind(store)),
    );
    const gap = log.findIndex(({ seq }, index) => seq !== index);
    if (gap !== -1) throw new Error(`The log has a gap before event ${gap}`);
    return { runId: run.runId, status: run.status, log };
  } finally {
    store.close();
  }
}

function withWholeValues(envelope: EventEnvelope, readValue: (hash: string) => unknown): EventEnvelope {
  // Events are JSON; a handle replaces a large value.
  return JSON.parse(JSON.stringify(envelope), (_key, value) =>
    isValueHandle(value) ? readValue(value.$value) : value,
  );
}

/** Creates a reproducible random generator: numbers from 0 up to 1. */
export function createDice(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A third of the processes crash around a commit; the others are killed from outside at a random time. */
export function planOf(
  order: ChaosOrder,
  stored: number,
  { dice, whole }: { dice: () => number; whole: { readonly events: number; readonly lengthMs: number } },
): Plan {
  if (dice() < 1 / 3) {
    const seq = stored + Math.floor(dice() * (whole.events - stored));
    return { order: { ...order, crash: { seq, when: dice() < 0.5 ? 'before' : 'after' } } };
  }
  return { order, killAfterMs: dice() * whole.lengthMs };
}

/** Returns the status that a run with this log must have. */
export function statusAfter(log: readonly EventEnvelope[]): RunStatus {
  const envelope = log.at(-1);
  // The end of a child run is not the end of this run.
  const last = envelope?.rootRunId === undefined ? envelope?.event : undefined;
  if (last?.type === 'run:end') return last.status;
  return last?.type === 'run:suspended' ? 'suspended' : 'interrupted';
}

/** Calls `work` with a temporary folder. */
export async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-chaos-'));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
