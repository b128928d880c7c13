/**
 * What streaming costs the engine: 20 models at once, each with 200 tokens a second, recorded in SQLite, with one
 * listener. The provider is a separate process; only the processor time of this one counts. Also how
 * many connections 40 calls one after the other take.
 */
import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEngine } from '../engine/index.ts';
import { median } from './statistics.ts';

const streams = 20;
const tokensPerSecond = 200;
const seconds = 3;
const rounds = 5;
const sequentialCalls = 40;

/** Sends one token every 5 ms by the clock, catching up when it is late; `/v1/connections` gives the number of connections so far. */
const provider = `
const { createServer } = require('node:http');
let connections = 0;
const chunk = (delta, more) => 'data: ' + JSON.stringify({ id: '1', object: 'chat.completion.chunk', choices: [{ index: 0, delta, ...more }] }) + '\\n\\n';
const server = createServer((request, response) => {
  if (request.url.endsWith('/connections')) return response.end(String(connections));
  let body = '';
  request.on('data', (piece) => { body += piece; });
  request.on('end', () => {
    const [, tokens, perSecond] = /STREAM (\\d+) (\\d+)/.exec(body);
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    const startedAt = performance.now();
    let sent = 0;
    const timer = setInterval(() => {
      const due = Math.min(tokens, Math.ceil(((performance.now() - startedAt) / 1000) * perSecond));
      for (; sent < due; sent++) response.write(chunk({ content: 'word ' }));
      if (sent < tokens) return;
      clearInterval(timer);
      response.end(chunk({}, { finish_reason: 'stop' }) + 'data: [DONE]\\n\\n');
    }, 5);
  });
});
server.on('connection', () => { connections++; });
server.listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

const child = spawn(process.execPath, ['-e', provider], { stdio: ['ignore', 'pipe', 'inherit'] });
const port = await new Promise<string>((resolve) =>
  child.stdout.once('data', (text: Buffer) => resolve(String(text).trim())),
);
const address = `http://127.0.0.1:${port}/v1`;

const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
const homeFolder = path.join(workspace, 'home');
await mkdir(homeFolder);
await writeFile(
  path.join(homeFolder, 'config-user.toml'),
  `[providers.bench]\nkind = "openai-compatible"\nbase_url = "${address}"\n`,
);
const engine = await createEngine({ workspace, homeFolder, isTrusted: true });

let tokens = 0;
let groups = 0;
engine.subscribe((events) => {
  groups++;
  for (const { event } of events) if (event.type === 'agent:text') tokens += event.content.split(' ').length - 1;
});

function flowOf(calls: number, prompt: string, isChain: boolean): string {
  const nodes = Array.from(
    { length: calls },
    (_, index) =>
      `  - { id: m${index}, type: prompt, input: { prompt: "${prompt}" }, config: { model: "bench::words" } }\n`,
  );
  const edges = isChain ? nodes.slice(1).map((_, index) => `  - { from: m${index}, to: m${index + 1} }\n`) : [];
  return `flow: { name: Streams, policy: { maxParallel: ${streams} } }\nnodes:\n${nodes.join('')}edges: ${edges.length === 0 ? '[]\n' : `\n${edges.join('')}`}`;
}

async function run(text: string): Promise<void> {
  const { runId } = await engine.startRun({ path: 'streams.flow.yaml', text, inputs: {} });
  const { status, error } = await engine.whenEnded(runId);
  if (status !== 'completed') throw new Error(`The run ended ${status}: ${error?.message}`);
}

const connections = async (): Promise<number> => Number(await (await fetch(`${address}/connections`)).text());

const parallel = flowOf(streams, `STREAM ${tokensPerSecond * seconds} ${tokensPerSecond}`, false);
await run(parallel);
const shares: number[] = [];
for (let round = 0; round < rounds; round++) {
  [tokens, groups] = [0, 0];
  const [usage, startedAt] = [process.cpuUsage(), performance.now()];
  await run(parallel);
  const { user, system } = process.cpuUsage(usage);
  const wallMs = performance.now() - startedAt;
  if (tokens !== streams * tokensPerSecond * seconds) throw new Error(`${tokens} tokens came`);
  shares.push((user + system) / 1000 / wallMs);
  const perToken = ((user + system) / tokens).toFixed(1);
  console.log(`  ${perToken} us of processor time a token, ${groups} groups of events, ${wallMs.toFixed(0)} ms`);
}
console.log(
  `${streams} streams of ${tokensPerSecond} tokens/s, recorded in SQLite: ${(median(shares) * 100).toFixed(1)} % of a core, median of ${rounds}`,
);

const before = await connections();
await run(flowOf(sequentialCalls, 'STREAM 3 1000', true));
console.log(`${sequentialCalls} calls of a model, one after the other: ${(await connections()) - before} connections`);

await engine.close();
child.kill();
await rm(workspace, { recursive: true });
