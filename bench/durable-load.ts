/**
 * What measurements of runs on Restate share: programs with their processor time, workers, and many runs. Linux only.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openSharedHistory } from '../engine/history/postgres/open-shared-history.ts';
import type { SharedHistory } from '../engine/history/postgres/shared-history.ts';
import { asRunId, type RunId } from '../engine/isomorphic.ts';

/** The arguments of a measurement: the servers, and where to start workers. */
export interface Places {
  /** The command line program. */
  readonly cli: string;
  /** An empty folder. */
  readonly folder: string;
  readonly restateUrl: string;
  readonly restatePid: number;
  readonly postgresUrl: string;
  readonly postgresPid: number;
}

export function readPlaces(): Places {
  const [, , cli = '', folder = '', restateUrl = '', restatePid = '', postgresUrl = '', postgresPid = ''] =
    process.argv;
  return { cli, folder, restateUrl, restatePid: Number(restatePid), postgresUrl, postgresPid: Number(postgresPid) };
}

/** Returns the processor time that a process and its children have used, in milliseconds. */
function cpuOf(pid: number): number {
  const tickMs = 10;
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  // User and system time, each of the process and of its children that have ended.
  const own = fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) * tickMs;
  return childrenOf(pid).reduce((sum, child) => sum + cpuOf(child), own);
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').trim().split(' ').filter(Boolean).map(Number),
  );
}

/** Returns the most memory that a process has used, in MB. */
export function peakMemoryOf({ pid }: ChildProcess): number {
  const [, kilobytes = ''] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) / 1000;
}

/** Processor time in milliseconds. */
export interface CpuTimes {
  readonly workers: number;
  readonly restate: number;
  readonly postgres: number;
}

/** Returns the processor time that work costs the servers and these workers. */
export async function costOf(
  { restatePid, postgresPid }: Places,
  workers: readonly ChildProcess[],
  work: () => Promise<unknown>,
): Promise<CpuTimes> {
  const read = (): CpuTimes => ({
    workers: workers.reduce((sum, { pid = 0 }) => sum + cpuOf(pid), 0),
    restate: cpuOf(restatePid),
    postgres: cpuOf(postgresPid),
  });
  const before = read();
  await work();
  const after = read();
  const spent = (name: keyof CpuTimes): number => after[name] - before[name];
  return { workers: spent('workers'), restate: spent('restate'), postgres: spent('postgres') };
}

/** Returns the flow of a chain with these nodes in turn. */
export function chainOf(nodes: number, kinds: readonly { readonly type: string; readonly input: string }[]): string {
  const names = Array.from({ length: nodes }, (_, index) => `n${index}`);
  const lines = names.map((id, index) => {
    const { type = '', input = '' } = kinds[index % kinds.length] ?? {};
    return `  - { id: ${id}, type: ${type}, input: { ${input} } }`;
  });
  const edges = names.slice(1).map((id, index) => `  - { from: n${index}, to: ${id} }`);
  return `flow: { name: Chain }\nnodes:\n${lines.join('\n')}\nedges:\n${edges.join('\n')}\n`;
}

/** A node that is computed within the workflow. */
export const pureNode = { type: 'constant', input: 'value: 1' };
/** A node that is a step of the journal. Its own work costs next to nothing. */
export const stepNode = { type: 'echo', input: 'text: hello' };

const endedCheckMs = 500;

/** Runs of one workspace with one worker, submitted as the command line does. */
export class DurableLoad {
  readonly history: SharedHistory;
  readonly #places: Places;

  private constructor(places: Places, history: SharedHistory) {
    this.#places = places;
    this.history = history;
  }

  static async open(places: Places, workspace: string): Promise<DurableLoad> {
    await mkdir(path.join(places.folder, workspace));
    return new DurableLoad(places, await openSharedHistory({ url: places.postgresUrl, workspace }));
  }

  async startWorker(): Promise<ChildProcess> {
    const { cli, folder, restateUrl, postgresUrl } = this.#places;
    const env = { ...process.env, MILLRACE_HOME: path.join(folder, 'home') };
    const workspace = path.join(folder, this.history.workspace);
    const own = ['worker', '--on', restateUrl, '--history', postgresUrl, '--workspace', workspace];
    const child = spawn(process.execPath, [cli, ...own, '--listen', '127.0.0.1:0', '--json'], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    process.once('exit', () => child.kill('SIGKILL'));
    await once(child.stdout, 'data');
    return child;
  }

  /** A run as the history records it. */
  newRun(runId: RunId, definition: string) {
    const described = { kind: 'flow', name: 'Chain', sourcePath: 'chain.flow.yaml', inputs: {} } as const;
    const host = { engine: 'restate' };
    return { ...described, runId, sessionId: sessionId as never, definition, queuedAt: Date.now(), host };
  }

  /** Runs a definition `count` times, some at once. Resolves when all have completed. */
  async runMany(definition: string, count: number, atOnce: number): Promise<void> {
    let left = count;
    const line = async (): Promise<void> => {
      while (left-- > 0) await this.#whenEnded(await this.#start(definition));
    };
    await Promise.all(Array.from({ length: atOnce }, line));
  }

  async #start(definition: string): Promise<RunId> {
    const runId = asRunId(randomUUID());
    await this.history.createRun(this.newRun(runId, definition));
    await callRestate(this.#places, `millrace.${this.history.workspace}/${runId}/run/send`, { sessionId });
    return runId;
  }

  async #whenEnded(runId: RunId): Promise<void> {
    for (;;) {
      const { status, error } = (await this.history.findSummary(runId)) ?? {};
      if (status === 'completed') return;
      if (status !== 'queued' && status !== 'running') throw new Error(`A run is ${status}: ${error?.message}`);
      await wait(endedCheckMs);
    }
  }
}

const sessionId = 'bench';

/** Calls a handler over the ingress. @throws Error unless the call succeeds */
export async function callRestate({ restateUrl }: Places, handler: string, body: unknown): Promise<void> {
  const ingress = new URL(restateUrl.replace('restate:', 'http:')).origin;
  const response = await fetch(`${ingress}/${handler}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`Restate refused a call: ${text}`);
}
