/**
 * Measures tests: 1,000 cases of a flow with 10 nodes, one of which calls a model, against the same runs in memory with the
 * same recording. They run alternately in this process. All times are this process's CPU time.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createEngine } from '../engine/index.ts';
import { cpuMs, median } from './statistics.ts';

const caseCount = 1_000;
const nodeCount = 10;
const rounds = 5;
const warmUpRounds = 2;

const workspace = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
const cassette = path.join(workspace, 'calls.cassette.yaml');
const nodes = Array.from({ length: nodeCount }, (_, index) =>
  index === 0
    ? '  - { id: n0, type: prompt, config: { model: "here::tiny" }, input: { prompt: "{{flow.input.question}}" } }'
    : `  - { id: n${index}, type: echo, input: { text: "{{n${index - 1}.text}} and more" } }`,
);
const edges = nodes.slice(1).map((_, index) => `{ from: n${index}, to: n${index + 1} }`);
const flow = `flow: { name: Ten, input: { question: x } }\nnodes:\n${nodes.join('\n')}\nedges: [${edges.join(', ')}]\n`;
const questions = Array.from({ length: caseCount }, (_, index) => `question ${index}`);
const calls = questions.map(
  (question) =>
    `- kind: model\n  request: { model: here::tiny, messages: [{ role: user, content: ${question} }] }\n  response: { text: an answer, finishReason: stop, usage: { promptTokens: 5, completionTokens: 2 }, pieces: [9] }\n`,
);
await writeFile(path.join(workspace, 'ten.flow.yaml'), flow);
await writeFile(cassette, `cassette: 1\ncalls:\n${calls.join('')}`);
await writeFile(path.join(workspace, 'rows.csv'), `question\n${questions.join('\n')}\n`);
const expected = '{ outputs: { n9.text: { contains: an answer } }, ran: [n9], maxTokens: 100 }';
await writeFile(
  path.join(workspace, 'ten.test.yaml'),
  `target: ten.flow.yaml\ncassette: calls.cassette.yaml\ncases: { from: rows.csv, map: { question: question }, expect: ${expected} }\n`,
);

async function timeTests(): Promise<number> {
  const engine = await createEngine({ workspace, storeFile: ':memory:' });
  const startedAt = cpuMs();
  const { passed } = await engine.runTests();
  const ms = cpuMs() - startedAt;
  await engine.close();
  if (passed !== caseCount) throw new Error(`${passed} of ${caseCount} cases passed`);
  return ms;
}

async function timeRuns(): Promise<number> {
  const startedAt = cpuMs();
  const engine = await createEngine({ workspace, storeFile: ':memory:', cassette: { file: cassette, mode: 'replay' } });
  for (const question of questions) {
    const { runId } = await engine.startRun({ path: 'ten.flow.yaml', text: flow, inputs: { question } });
    const { status } = await engine.whenEnded(runId);
    if (status !== 'completed') throw new Error(`The run ended ${status}`);
  }
  const ms = cpuMs() - startedAt;
  await engine.close();
  return ms;
}

const runs: number[] = [];
const tests: number[] = [];
for (let round = 0; round < rounds + warmUpRounds; round++) {
  const [one, other] = [await timeRuns(), await timeTests()];
  if (round < warmUpRounds) continue;
  runs.push(one);
  tests.push(other);
}
await rm(workspace, { recursive: true });

const [one, other] = [median(runs), median(tests)];
console.log(`${caseCount} cases of a flow with ${nodeCount} nodes, in memory, replayed, median of ${rounds}`);
console.log(`  runs   ${one.toFixed(0)} ms`);
console.log(`  tests  ${other.toFixed(0)} ms, ${(other / one).toFixed(2)} times (at most 2)`);
