/**
 * Measures what a service with 40 triggers uses while nothing happens: the share of a core and the memory, next to a
 * Node process with an HTTP server and 40 timers. Linux only, because it reads /proc. Argument: the path of the program
 * file.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { report } from './statistics.ts';

const [, , cli] = process.argv;
if (cli === undefined) throw new Error('Pass the path of the command line program');

const triggerCount = 40;
const settleMs = 20_000;
const idleMs = 60_000;
/** Linux counts CPU time of processes in hundredths of a second, unless it was built otherwise. */
const tickMs = 10;

const folder = await mkdtemp(path.join(tmpdir(), 'millrace-idle-'));
const [home, workspace] = [path.join(folder, 'home'), path.join(folder, 'ws')];
for (const one of [path.join(home, 'millrace'), path.join(workspace, 'inbox')]) await mkdir(one, { recursive: true });
const kinds = [
  'schedule: { cron: "30 7 1 1 *", timezone: Europe/Berlin }',
  'schedule: { every: 24h }',
  'files: { glob: "inbox/*.eml" }',
  'webhook: { path: hook-N }',
  'after: { flow: other.flow.yaml }',
];
for (let index = 0; index < triggerCount; index++) {
  const kind = kinds[index % kinds.length]?.replace('N', String(index));
  const text = `flow: { name: F${index}, triggers: [{ id: t, ${kind} }] }\nnodes: [{ id: a, type: echo, input: { text: hi } }]\nedges: []\n`;
  await writeFile(path.join(workspace, `f${index}.flow.yaml`), text);
}

const bareServer = `require('node:http').createServer((_, answer) => answer.end('ok')).listen(0, '127.0.0.1', () => console.log('ready'));
for (let index = 0; index < ${triggerCount}; index++) setInterval(() => {}, 60_000);`;

interface Usage {
  /** Percent of a core. */
  readonly cpu: number;
  /** Resident memory. */
  readonly megabytes: number;
}

async function measure(args: readonly string[], wanted: string): Promise<Usage> {
  const env = { ...process.env, INIT_CWD: folder, MILLRACE_HOME: home };
  const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] });
  const { pid } = child;
  if (pid === undefined) throw new Error('The process did not start');
  await new Promise<void>((resolve, reject) => {
    child.once('exit', () => reject(new Error('The process ended')));
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (text.includes(wanted)) resolve();
    });
  });
  await pause(settleMs);
  const before = await cpuMsOf(pid);
  await pause(idleMs);
  const cpu = ((await cpuMsOf(pid)) - before) / (idleMs / 100);
  const [, kilobytes = ''] = /^VmRSS:\s+(\d+) kB$/m.exec(await readFile(`/proc/${pid}/status`, 'utf8')) ?? [];
  child.removeAllListeners('exit');
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
  return { cpu, megabytes: Number(kilobytes) / 1024 };
}

async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  // The name of the program is in parentheses, and may contain spaces.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

async function pause(ms: number): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, ms));
}

const bare = await measure(['-e', bareServer], 'ready');
const serve = ['serve', '--workspace', workspace, '--trust', '--enable-all', '--port', '0', '--json'];
const ours = await measure([cli, ...serve], '"origin"');
await rm(folder, { recursive: true });

console.log(
  `a service with ${triggerCount} triggers that are not due, Node ${process.versions.node}, ${idleMs / 1000} s`,
);
const yardstick = (value: number) => ({ name: 'bare Node server', value });
report({ what: 'CPU', ours: ours.cpu, yardstick: yardstick(Math.max(bare.cpu, 0.01)), unit: '% of a core' });
report({ what: 'memory', ours: ours.megabytes, yardstick: yardstick(bare.megabytes), unit: 'MB' });
