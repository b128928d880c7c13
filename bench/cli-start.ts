/**
 * Measures how long the built command line takes to reach the first node of a run recorded in SQLite, the result of
 * validating a file, and its help text, as well as the CPU time of each process. Alternates with a Node process that
 * does nothing. Argument: the path of the program file.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chainFlow } from './graphs.ts';
import { median, report } from './statistics.ts';

const rounds = 15;
const warmUpRounds = 2;

const [, , cli] = process.argv;
if (cli === undefined) throw new Error('Pass the path of the command line program');

const folder = await mkdtemp(path.join(tmpdir(), 'millrace-start-'));
/** The `millrace` folder exists, as it does after the first run, so that compiled code is cached there. */
const home = path.join(folder, 'home');
await mkdir(path.join(home, 'millrace'), { recursive: true });
await writeFile(path.join(folder, 'chain.flow.yaml'), chainFlow(3));

interface Sample {
  /** Milliseconds from the start of the process to the expected output, or to its end if that never appears. */
  readonly ms: number;
  /** User and system CPU time of the whole process, in milliseconds. */
  readonly cpuMs: number;
}

/** Bash prints the CPU time of its child, which Node cannot read for its own children. */
const measure = ['-c', 'TIMEFORMAT=\'cpu %3U %3S\'; time "$@"', 'bash', process.execPath];

function startProcess({ args, wanted, env }: Start): Promise<Sample> {
  return new Promise((resolve, reject) => {
    let printed = '';
    let errors = '';
    let printedAt: number | undefined;
    const startedAt = performance.now();
    // npm sets INIT_CWD to the folder it was called in, and the command line resolves relative paths against it.
    const all = { ...process.env, INIT_CWD: folder, MILLRACE_HOME: home, LC_ALL: 'C', ...env };
    const child = spawn('bash', [...measure, ...args], { cwd: folder, env: all, stdio: ['ignore', 'pipe', 'pipe'] });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (wanted !== undefined && printed.includes(wanted)) printedAt ??= performance.now();
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      const at = wanted === undefined ? performance.now() : printedAt;
      const [, user, system] = /cpu ([\d.]+) ([\d.]+)\s*$/.exec(errors) ?? [];
      if (code !== 0 || at === undefined || user === undefined || system === undefined) {
        reject(new Error(`node ${args.join(' ')} ended with ${code}: ${printed}${errors}`));
        return;
      }
      resolve({ ms: at - startedAt, cpuMs: (Number(user) + Number(system)) * 1000 });
    });
  });
}

interface Start {
  readonly what: string;
  readonly args: readonly string[];
  readonly wanted?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const run = { args: [cli, 'run', 'chain.flow.yaml', '--json'], wanted: '"task:start"' };
const starts: readonly Start[] = [
  { what: 'bare Node', args: ['-e', '0'] },
  { what: 'run, to its first node', ...run },
  { what: 'run without compiled code', ...run, env: { NODE_DISABLE_COMPILE_CACHE: '1' } },
  { what: 'validate', args: [cli, 'validate', 'chain.flow.yaml'], wanted: 'valid' },
  { what: 'help', args: [cli, '--help'], wanted: 'Usage' },
];

const samples = starts.map((): Sample[] => []);
for (let round = 0; round < rounds + warmUpRounds; round++) {
  for (const [index, start] of starts.entries()) {
    const sample = await startProcess(start);
    if (round >= warmUpRounds) samples[index]?.push(sample);
  }
}
await rm(folder, { recursive: true });

const [bare = [], ...ours] = samples;
console.log(`process starts of the command line, Node ${process.versions.node}, SQLite on, median of ${rounds}`);
for (const [index, own] of ours.entries()) {
  const what = starts[index + 1]?.what ?? '';
  for (const [suffix, value] of [
    ['', ({ ms }: Sample) => ms],
    [', CPU', ({ cpuMs }: Sample) => cpuMs],
  ] as const) {
    const yardstick = { name: 'bare Node', value: median(bare.map(value)) };
    report({ what: what + suffix, ours: median(own.map(value)), yardstick, unit: 'ms' });
  }
}
