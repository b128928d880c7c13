/**
 * Measures streaming: 20 models at once, each with 200 tokens per second, recorded in SQLite, with one subscriber. The
 * provider is a separate process, so its CPU time is not counted. Also counts the connections opened by 40 consecutive
 * calls.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEngine } from '../engine/index.ts';
import { median } from './statistics.ts';
import { startTokenServer, streamFlow, tokenSettings } from './token-server.ts';

const streams = 20;
const tokensPerSecond = 200;
const seconds = 3;
const rounds = 5;
const sequentialCalls = 40;

const { address, stop } = await startTokenServer();

const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
const homeFolder = path.join(workspace, 'home');
await mkdir(homeFolder);
await writeFile(path.join(homeFolder, 'config-user.toml'), tokenSettings(address));
const engine = await createEngine({ workspace, homeFolder, isTrusted: true });

let tokens = 0;
let groups = 0;
engine.subscribe((events) => {
  groups++;
  for (const { event } of events) if (event.type === 'agent:text') tokens += event.content.split(' ').length - 1;
});

async function run(text: string): Promise<void> {
  const { runId } = await engine.startRun({ path: 'streams.flow.yaml', text, inputs: {} });
  const { status, error } = await engine.whenEnded(runId);
  if (status !== 'completed') throw new Error(`The run ended ${status}: ${error?.message}`);
}

const connections = async (): Promise<number> => Number(await (await fetch(`${address}/connections`)).text());

const maxParallel = streams;
const prompt = `STREAM ${tokensPerSecond * seconds} ${tokensPerSecond}`;
const parallel = streamFlow(streams, { prompt, isChain: false, maxParallel });
await run(parallel);
const shares: number[] = [];
for (let round = 0; round < rounds; round++) {
  [tokens, groups] = [0, 0];
  const [usage, startedAt] = [process.cpuUsage(), performance.now()];
  await run(parallel);
  const { user, system } = process.cpuUsage(usage);
  const wallMs = performance.now() - startedAt;
  if (tokens !== streams * tokensPerSecond * seconds) throw new Error(`received ${tokens} tokens`);
  shares.push((user + system) / 1000 / wallMs);
  const perToken = ((user + system) / tokens).toFixed(1);
  console.log(`  ${perToken} us of processor time per token, ${groups} groups of events, ${wallMs.toFixed(0)} ms`);
}
console.log(
  `${streams} streams of ${tokensPerSecond} tokens/s, recorded in SQLite: ${(median(shares) * 100).toFixed(1)} % of a core, median of ${rounds}`,
);

const before = await connections();
await run(streamFlow(sequentialCalls, { prompt: 'STREAM 3 1000', isChain: true, maxParallel }));
console.log(`${sequentialCalls} calls of a model, one after the other: ${(await connections()) - before} connections`);

await engine.close();
stop();
await rm(workspace, { recursive: true });
