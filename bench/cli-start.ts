/**
 * How long the built command line takes from the start of its process: to the first node of a run that is recorded in
 * SQLite, to the verdict on a file, to its help. Against a Node process that does nothing, in turns.
 * Argument: the program's file.
 */
import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chainFlow } from './graphs.ts';
import { median, report } from './statistics.ts';

const rounds = 15;
const warmUpRounds = 2;

const [, , cli] = process.argv;
if (cli === undefined) throw new Error('Name the file of the command line program');

const folder = await mkdtemp(path.join(tmpdir(), 'millrace-start-'));
await writeFile(path.join(folder, 'chain.flow.yaml'), chainFlow(3));

/** Milliseconds from the start of a Node process until it printed `wanted`; without it, until it has ended. */
function timeProcess(args: readonly string[], wanted?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    let printed = '';
    let printedAt: number | undefined;
    const startedAt = performance.now();
    // Under npm, relative paths of the command line start where npm was called.
    const env = { ...process.env, INIT_CWD: folder };
    const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text;
      if (wanted !== undefined && printed.includes(wanted)) printedAt ??= performance.now();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      const at = wanted === undefined ? performance.now() : printedAt;
      if (code !== 0 || at === undefined) reject(new Error(`node ${args.join(' ')} ended with ${code}: ${printed}`));
      else resolve(at - startedAt);
    });
  });
}

const starts = [
  { what: 'run, to its first node', args: ['run', 'chain.flow.yaml', '--json'], wanted: '"task:start"' },
  { what: 'validate', args: ['validate', 'chain.flow.yaml'], wanted: 'valid' },
  { what: 'help', args: ['--help'], wanted: 'Usage' },
];

const bare: number[] = [];
const samples = starts.map((): number[] => []);
for (let round = 0; round < rounds + warmUpRounds; round++) {
  const bareMs = await timeProcess(['-e', '0']);
  const times = [];
  for (const { args, wanted } of starts) times.push(await timeProcess([cli, ...args], wanted));
  if (round < warmUpRounds) continue;
  bare.push(bareMs);
  for (const [index, ms] of times.entries()) samples[index]?.push(ms);
}
await rm(folder, { recursive: true });

const yardstick = { name: 'bare Node', value: median(bare) };
console.log(`process starts of the command line, Node ${process.versions.node}, SQLite on, median of ${rounds}`);
for (const [index, { what }] of starts.entries()) {
  report({ what, ours: median(samples[index] ?? []), yardstick, unit: 'ms' });
}
