/**
 * Runs the processes of `kill-child.ts`, kills them, and lets others continue what they leave behind.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, beforeEach } from 'vitest';
import { asRunId, type RunId } from '../base/ids.ts';
import type { EventEnvelope, RunEvent } from '../runtime/kernel/events/run-event.ts';
import { bundleChildProgram, type ChildProgram } from './child-program.ts';
import type { KillNews, KillOrder } from './kill-order.ts';
import { SecretWorld } from './secret-world.ts';

/** Each bundle, start and kill takes seconds on a busy machine. */
export const killPatienceMs = 600_000;

let bundled: Promise<ChildProgram> | undefined;

/** Bundles the program: once for all test files of a process, and removed with it. */
function bundle(): Promise<ChildProgram> {
  bundled ??= bundleChildProgram(fileURLToPath(new URL('kill-child.ts', import.meta.url))).then((program) => {
    process.once('exit', () => program.remove());
    return program;
  });
  return bundled;
}

/** What a process printed, and whether it was killed. */
interface KilledSession {
  readonly wasKilled: boolean;
  readonly news: readonly KillNews[];
}

/** When to kill a process: once it has printed this many lines and its run is accepted, or at its next request. */
export type KillCut = number | 'in a request' | 'never';

/** What was recorded of a run once no process had to continue it. */
export interface KilledStory {
  readonly runId: RunId;
  readonly killed: number;
  readonly log: readonly EventEnvelope[];
  readonly events: readonly RunEvent[];
  readonly status: string;
}

/** Prepares a world with a server for each test of a file, and the program. */
export function setUpKills() {
  let program: ChildProgram;
  let world: SecretWorld;
  /** The process to kill before the next request is answered. */
  let doomed: ChildProcess | undefined;
  beforeAll(async () => {
    program = await bundle();
  }, killPatienceMs);
  beforeEach(async () => {
    world = await SecretWorld.open();
  });
  afterEach(() => world.close());

  /** Runs a process to its end, or kills it. */
  async function session(order: KillOrder, cut: KillCut = 'never'): Promise<KilledSession> {
    const child = spawn(process.execPath, [program.file, world.folder.at('.'), JSON.stringify(order)]);
    let errors = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const news: KillNews[] = [];
    doomed = cut === 'in a request' ? child : undefined;
    createInterface(child.stdout).on('line', (line) => {
      news.push(JSON.parse(line) as KillNews);
      // A start that was not accepted yet leaves no run.
      if (typeof cut === 'number' && news.length >= cut && news.some(({ type }) => type === 'accepted'))
        child.kill('SIGKILL');
    });
    const [code, signal] = await new Promise<[number | null, string | null]>((resolve) =>
      child.once('close', (...end) => resolve(end)),
    );
    if (signal !== 'SIGKILL' && code !== 0) throw new Error(`The process failed: ${errors}`);
    return { wasKilled: signal === 'SIGKILL', news };
  }

  return {
    get world() {
      return world;
    },
    session,
    /** Answers a request, or kills the process that has sent it: the request has then arrived, but its response is lost. */
    answered(body: string): { readonly body: string } {
      doomed?.kill('SIGKILL');
      doomed = undefined;
      return { body };
    },
    /** Returns the newest run; undefined if none was recorded. */
    async findRun(): Promise<RunId | undefined> {
      const engine = await world.untrusted({});
      const [run] = await engine.listRuns({ limit: 1 });
      await engine.close();
      return run?.runId;
    },
    /** Reads a run that no process continues. */
    async read(runId: string): Promise<Omit<KilledStory, 'killed'>> {
      const engine = await world.untrusted({});
      const id = asRunId(runId);
      const log = await engine.readEvents(id, -1, 10_000);
      const { status } = await engine.getRun(id);
      await engine.close();
      return { runId: id, log, events: log.map(({ event }) => event), status };
    },
  };
}
