/**
 * Measures webhooks: requests per second that are recorded before their answer, and the CPU time of the service. The
 * baseline is a bare Node server that commits one row for each request. Both run in separate processes and get the
 * same requests. The runs themselves are not part of it: all but the first wait for a person.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '../engine/base/clock.ts';
import { serveHttp } from '../engine/host/http/routes.ts';
import { createEngine } from '../engine/index.ts';
import { openFloor } from './sqlite-floor.ts';
import { cpuMs, median, report } from './statistics.ts';

const requestCount = 2_000;
const connections = 50;
const rounds = 5;

const flow = `flow:
  name: Hook
  inputs: { n: { type: integer, required: true } }
  triggers: [{ id: hook, webhook: { path: hook, secret: "{{secret.HOOK}}" }, inputs: { n: "{{event.body.n}}" }, overlap: queue }]
nodes: [{ id: ask, type: human_approval, input: { title: "Order {{flow.input.n}}" } }]
edges: []
`;
const secret = 'bench-secret';

/** A server in this process. */
interface Served {
  readonly port: number;
  countRows(): Promise<number>;
}

async function serveOurs(folder: string): Promise<Served> {
  writeFileSync(join(folder, 'hook.flow.yaml'), flow);
  const baseFolder = mkdtempSync(join(tmpdir(), 'millrace-bench-home-'));
  const engine = await createEngine({ workspace: folder, homeFolder: baseFolder });
  await engine.setTrust(true);
  await engine.setSecret({ name: 'HOOK', value: secret });
  await engine.switchTriggers({ flow: 'hook.flow.yaml', isOn: true, by: 'bench' });
  const onNote = (text: string): void => console.error(text);
  const workspaces = [{ engine, triggers: await engine.startTriggers({ onNote }) }];
  const { origin } = await serveHttp({ port: 0, workspaces, baseFolder, clock: systemClock, onNote });
  return {
    port: Number(new URL(origin).port),
    countRows: async () => (await engine.listFirings({ limit: 1_000_000 })).length,
  };
}

async function serveFloor(folder: string): Promise<Served> {
  const { insert, countRows } = await openFloor(folder);
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const id = insert(Buffer.concat(chunks).toString());
      response.writeHead(202, { 'content-type': 'application/json' }).end(JSON.stringify({ firing: id }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, countRows: async () => countRows() };
}

type Question = 'cpu' | 'rows';

/** Answers the parent's questions. */
async function serve(kind: string, folder: string): Promise<void> {
  const { port, countRows } = await (kind === 'ours' ? serveOurs : serveFloor)(folder);
  // Counting reads all firings, so it happens outside of the measured time.
  process.on('message', async (question: Question) => {
    process.send?.(question === 'cpu' ? cpuMs() : await countRows());
  });
  process.send?.(port);
}

async function next(child: ChildProcess): Promise<number> {
  return await new Promise((resolve) => {
    child.once('message', (message) => resolve(message as number));
  });
}

async function ask(child: ChildProcess, question: Question): Promise<number> {
  const answer = next(child);
  child.send(question);
  return await answer;
}

async function post(port: number, agent: Agent, n: number): Promise<number> {
  const body = JSON.stringify({ n, customer: 'Kim', items: Array.from({ length: 20 }, (_, index) => `item ${index}`) });
  const headers = { 'content-type': 'application/json', 'content-length': body.length, 'x-webhook-secret': secret };
  return await new Promise((resolve, reject) => {
    const sent = request(
      { port, host: '127.0.0.1', path: '/hooks/hook', method: 'POST', headers, agent },
      (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on('error', reject).end(body);
  });
}

/** Sends all requests, and returns the elapsed milliseconds and the number of accepted ones. */
async function load(port: number): Promise<{ readonly ms: number; readonly accepted: number }> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const startedAt = performance.now();
  let sent = 0;
  let accepted = 0;
  const work = async (): Promise<void> => {
    while (sent < requestCount) if ((await post(port, agent, sent++)) === 202) accepted++;
  };
  await Promise.all(Array.from({ length: connections }, work));
  agent.destroy();
  return { ms: performance.now() - startedAt, accepted };
}

class Measured {
  readonly #child: ChildProcess;
  readonly cpu: number[] = [];
  readonly rate: number[] = [];
  lost = 0;

  constructor(kind: string, folder: string) {
    this.#child = fork(process.argv[1] ?? '', [kind, folder]);
  }

  async run(): Promise<void> {
    const port = await next(this.#child);
    // The first round runs code that has never run before.
    for (let round = 0; round <= rounds; round++) {
      const before = await ask(this.#child, 'cpu');
      const { ms, accepted } = await load(port);
      const after = await ask(this.#child, 'cpu');
      this.lost += accepted;
      if (round === 0) continue;
      this.cpu.push((after - before) / requestCount);
      this.rate.push((accepted / ms) * 1_000);
    }
    this.lost -= await ask(this.#child, 'rows');
    this.#child.kill();
  }
}

async function measure(): Promise<void> {
  const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'millrace-bench-hooks-')));
  const [ours, floor] = [new Measured('ours', folders[0] ?? ''), new Measured('floor', folders[1] ?? '')];
  await floor.run();
  await ours.run();
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  const name = 'bare server with one committed row';
  console.log(`${requestCount} requests over ${connections} connections, median of ${rounds}`);
  console.log(`accepted, but not recorded: ${ours.lost}`);
  const rate = { name, value: median(floor.rate) };
  report({ what: 'webhooks recorded per second', ours: median(ours.rate), yardstick: rate, unit: '1/s' });
  const cpu = { name, value: median(floor.cpu) };
  report({ what: 'CPU time of a webhook', ours: median(ours.cpu), yardstick: cpu, unit: 'ms' });
}

const [, , kind, folder = ''] = process.argv;
await (kind === undefined ? measure() : serve(kind, folder));
