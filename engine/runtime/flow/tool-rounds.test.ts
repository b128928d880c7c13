/** Tests tool calls that ask in the middle: a crash at any moment loses no state, and repeats no effect unasked. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { readWaiting } from '../../host/executor/run-answers.ts';
import type { JsonMap } from '../../language/json/json-value.ts';
import { cutBehind } from '../../testing/cut-run.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { testTool } from '../../world/tools/test-tools.ts';
import { roundKey } from '../kernel/resume/tool-rounds.ts';

let world: TestExecutor;
/** What the tool did outside, in order. */
let done: string[];
beforeEach(async () => {
  done = [];
  const inputSchema = { type: 'object' };
  world = await createTestExecutor({
    tools: [
      testTool(
        async (_, { ask, rounds, callKey }) => {
          if (rounds?.kept.length === 0) {
            done.push('begin');
            rounds.keep({ state: 'basket' });
          }
          const sizes: JsonMap[] = [];
          for (const name of ['size', 'color']) {
            const key = roundKey(callKey, `1/${name}`);
            const schema = { type: 'object', properties: { [name]: { type: 'string' } } };
            const answer = await ask?.(key, { kind: 'input', title: name, schema });
            sizes.push((answer?.payload['values'] as JsonMap | undefined) ?? {});
          }
          done.push('finish');
          return { sizes };
        },
        { name: 'order', inputSchema, effects: 'external' },
      ),
    ],
  });
});
afterEach(() => world.close());

const text = `
flow: { name: Rounds }
nodes: [{ id: order, type: tool, input: {}, config: { tool: order } }]
edges: []`;

/** Answers all questions; approves that an interrupted call is made again. Returns the titles. */
async function answerAll(runId: RunId): Promise<readonly string[]> {
  const titles: string[] = [];
  for (;;) {
    const [open] = readWaiting(world.store, runId);
    const title = open?.request?.title;
    if (title === undefined) return titles;
    titles.push(title);
    const values = { values: { [title]: `my ${title}` } };
    const answer = open?.request?.kind === 'approval' ? { approved: true } : values;
    await (await world.executor.resumeRun({ runId, payload: answer })).ended;
  }
}

const output = { sizes: [{ size: 'my size' }, { color: 'my color' }] };

function outputOf(runId: RunId): unknown {
  const ends = world.store.readEvents(runId, -1, 1000).map(({ event }) => event);
  return ends.find((event) => event.type === 'task:complete')?.result;
}

test('the call continues after each answer, and begins once', async () => {
  const { runId, ended } = await world.run(text);
  await ended;
  expect(await answerAll(runId)).toEqual(['size', 'color']);
  expect(outputOf(runId)).toEqual(output);
  expect(done).toEqual(['begin', 'finish']);
});

test('after a crash at any moment, the call continues with its state, and asks before it repeats an effect', async () => {
  const { runId, ended } = await world.run(text);
  await ended;
  await answerAll(runId);
  const log = world.store.readEvents(runId, -1, 1000);
  const end = log.findIndex(({ event }) => event.type === 'tool:result');
  const kept = log.findIndex(({ event }) => event.type === 'call:complete');
  expect([kept, end].every((at) => at > 0)).toBe(true);
  let isUnknown = false;
  let unknownCount = 0;
  for (let cut = 1; cut <= end; cut++) {
    done = [];
    const again = cutBehind(world, log.slice(0, cut));
    await (await world.executor.resumeRun({ runId: again })).ended;
    const titles = await answerAll(again);
    expect(outputOf(again), `after ${cut} events`).toEqual(output);
    // What an attempt did outside is not known until its result or question is stored.
    const type = log[cut - 1]?.event.type ?? '';
    if (type === 'tool:attempt') isUnknown = true;
    else if (type === 'call:complete' || type === 'input:requested') isUnknown = false;
    if (isUnknown) unknownCount += 1;
    expect(titles.includes('Call order again?'), `after ${cut} events: ${titles.join(', ')}`).toBe(isUnknown);
    expect(done, `after ${cut} events`).toEqual(cut <= kept ? ['begin', 'finish'] : ['finish']);
  }
  expect(unknownCount).toBeGreaterThan(2);
});
