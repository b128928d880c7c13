/**
 * Measures masking secrets: the same chain of nodes with and without ten secrets in its flow, alternately. Also
 * measures checking a 10 KB response against a schema with 50 fields. The baseline for that is sending the same text to
 * a thread and back.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Worker } from 'node:worker_threads';
import { createEngine } from '../engine/index.ts';
import { createAnswerReader } from '../engine/world/answers/answer-reader.ts';
import { median, report } from './statistics.ts';

/** Each node emits four events, and the run a few more. */
const nodeCount = 250;
const secretCount = 10;
const rounds = 101;
const warmUpRounds = 15;

const names = Array.from({ length: secretCount }, (_, index) => `TOKEN_${index}`);
const env = Object.fromEntries(
  names.map((name, index) => [`MILLRACE_SECRET_${name}`, `value-${index}-${'k3y'.repeat(8)}`]),
);

/** Returns a chain of nodes that process text of typical length. The node that names secrets never runs. */
function chain(sends: string): string {
  const nodes: object[] = Array.from({ length: nodeCount }, (_, index) => ({
    id: `n${index}`,
    type: 'echo',
    input: { text: `${index} ${'A line of text as nodes pass it on. '.repeat(8)}` },
  }));
  const edges = nodes.slice(1).map((_, index) => ({ from: `n${index}`, to: `n${index + 1}` }));
  nodes.push({
    id: 'last',
    type: 'http.request',
    disabled: true,
    input: { url: 'http://127.0.0.1:9', headers: { x: sends } },
  });
  return JSON.stringify({ flow: { name: 'chain' }, nodes, edges });
}

async function benchSecrets(): Promise<void> {
  const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  const engine = await createEngine({ workspace, env, isTrusted: true });
  const time = async (text: string): Promise<number> => {
    const startedAt = process.cpuUsage();
    const { runId } = await engine.startRun({ path: 'chain.flow.yaml', text, inputs: {} });
    const { status } = await engine.whenEnded(runId);
    if (status !== 'completed') throw new Error(`The run ended ${status}`);
    const { user, system } = process.cpuUsage(startedAt);
    return (user + system) / 1000;
  };
  const flows = { without: chain('none'), with: chain(names.map((name) => `{{secret.${name}}}`).join(' ')) };
  const samples = { without: [] as number[], with: [] as number[] };
  for (let round = 0; round < rounds + warmUpRounds; round++) {
    // Alternates which of the two runs first.
    const order = round % 2 === 0 ? (['without', 'with'] as const) : (['with', 'without'] as const);
    for (const which of order) {
      const ms = await time(flows[which]);
      if (round >= warmUpRounds) samples[which].push(ms);
    }
  }
  await engine.close();
  await rm(workspace, { recursive: true });
  report({
    what: `A run of ${nodeCount * 4} events with ${secretCount} secrets`,
    ours: median(samples.with),
    yardstick: { name: 'without secrets', value: median(samples.without) },
    unit: 'ms',
  });
}

const fieldCount = 50;

async function benchAnswers(): Promise<void> {
  const fields = Array.from({ length: fieldCount }, (_, index) => `field_${index}`);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields.map((field) => [field, { type: 'string', minLength: 1, maxLength: 1000 }])),
    required: fields,
    additionalProperties: false,
  };
  const text = JSON.stringify(Object.fromEntries(fields.map((field) => [field, 'x'.repeat(185)])));
  const reader = createAnswerReader();
  const { signal } = new AbortController();
  const echo = new Worker(
    "require('node:worker_threads').parentPort.on('message', (m) => require('node:worker_threads').parentPort.postMessage(JSON.parse(m.text)))",
    { eval: true },
  );
  const ask = (): Promise<unknown> =>
    new Promise((resolve) => {
      echo.once('message', resolve);
      echo.postMessage({ text, schema });
    });
  const samples = { checked: [] as number[], sent: [] as number[] };
  for (let round = 0; round < 400; round++) {
    const startedAt = performance.now();
    await reader.read({ text, find: 'first', schema }, signal);
    const checkedAt = performance.now();
    await ask();
    const sentAt = performance.now();
    if (round < 100) continue;
    samples.checked.push(checkedAt - startedAt);
    samples.sent.push(sentAt - checkedAt);
  }
  await echo.terminate();
  report({
    what: `A response of ${Math.round(text.length / 1024)} KB, parsed and validated against ${fieldCount} fields`,
    ours: median(samples.checked),
    yardstick: { name: 'parsed in a thread and sent back', value: median(samples.sent) },
    unit: 'ms',
  });
}

await benchSecrets();
await benchAnswers();
process.exit(0);
