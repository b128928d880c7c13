/** Tests rerunning agents by input. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import type { JsonValue } from '../../language/json/json-value.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { scriptSection } from '../../testing/run-agent-file.ts';

let world: TestExecutor;
/** Prompts sent to a model. */
let asked: string[];
beforeEach(async () => {
  asked = [];
  world = await createTestExecutor({
    reply: ({ messages }) => {
      const text = String(messages.at(-1)?.content ?? '').trim();
      asked.push(text);
      return { text: `answer to ${text}`, finishReason: 'stop' };
    },
  });
});
afterEach(() => world.close());

const options = '# Options\n\n```toml\nallow_run_on_task_fail = true\n```\n\n';
/** Returns an agent that calls a model for each input, and fails for those contained in `bad`. */
const agent = ({ bad = '', beforeAll = '', prompt = 'About {{input}}' } = {}): string =>
  `${options}${beforeAll === '' ? '' : scriptSection('Before All', beforeAll)}\n# Instruction\n\n${prompt}\n\n${scriptSection(
    'Output',
    `if "${bad}" ~= "" and string.find(ai_response.content, "${bad}") then error("no") end\nreturn ai_response.content`,
  )}`;

async function start(text: string, inputs: readonly JsonValue[]): Promise<RunId> {
  world.texts.set('a.aip', text);
  const accepted = await world.executor.startAgent({ agent: 'a.aip', inputs });
  if ('work' in accepted) throw new Error('It waits for work.');
  await accepted.ended;
  asked.length = 0;
  return accepted.runId;
}

async function rerun(runId: RunId, nodeId?: string) {
  asked.length = 0;
  const request = { runId, ...(nodeId === undefined ? {} : { nodeId }) };
  const plan = await world.executor.plans.planRerun(request);
  const { runId: again, ended } = await world.executor.rerunFrom(request);
  const { status, rerunOf } = await ended;
  const events = world.store.readEvents(again, -1, 1000).map(({ event }) => event);
  const end = events.at(-1);
  const outputs = end?.type === 'run:end' ? (end.output as { outputs: JsonValue }).outputs : undefined;
  const reused = events.flatMap((event) => (event.type === 'node:reused' ? [event.nodeId] : []));
  return { runId: again, status, rerunOf, plan: plan.map(({ fate }) => fate), reused, outputs, asked: [...asked] };
}

const inputs = ['p', 'q', 'r'];
const answers = inputs.map((input) => `answer to About ${input}`);

test('13.15 one input of an agent runs again, and the others reuse their outputs', async () => {
  const first = await start(agent(), inputs);
  const again = await rerun(first, 'input:1');
  expect([again.status, again.rerunOf, again.asked]).toEqual(['completed', first, ['About q']]);
  expect([again.plan, again.reused]).toEqual([
    ['reused', 'runs', 'reused'],
    ['input:0', 'input:2'],
  ]);
  expect(again.outputs).toEqual(answers);
  expect((await rerun(again.runId, 'input:0')).asked).toEqual(['About p']);
});

test('13.15 without a named input, only failed inputs run again', async () => {
  const failing = agent({ bad: 'q' });
  const first = await start(failing, inputs);
  const again = await rerun(first);
  expect([again.asked, again.plan]).toEqual([['About q'], ['reused', 'runs', 'reused']]);
});

test('13.15 all inputs run again if the text of the agent has changed', async () => {
  const first = await start(agent(), inputs);
  world.texts.set('a.aip', agent({ prompt: 'Tell of {{input}}' }));
  const again = await rerun(first);
  expect([again.asked.length, again.plan, again.reused]).toEqual([3, ['runs', 'runs', 'runs'], []]);
});

test('13.15 Before All runs again, and inputs are compared with those it returns', async () => {
  const list = (names: string) => `return aip.flow.before_all_response({ inputs = { ${names} } })`;
  const first = await start(agent({ beforeAll: list('"p", "q"') }), []);
  const same = await rerun(first);
  expect([same.asked, same.plan, same.reused]).toEqual([[], ['maybe', 'maybe'], ['input:0', 'input:1']]);
  const other = agent({
    beforeAll: 'return aip.flow.before_all_response({ inputs = { "p" }, before_all = CTX.RUN_UID })',
  });
  const second = await start(other, []);
  expect((await rerun(second)).asked).toEqual(['About p']);
});

test('13.15 an input that the run did not have is rejected', async () => {
  const first = await start(agent(), inputs);
  for (const nodeId of ['input:3', 'each[0]', 'a']) {
    const refusal = await world.executor.rerunFrom({ runId: first, nodeId }).catch(toErrorRecord);
    expect(refusal).toMatchObject({ code: 'node.not-found', message: expect.stringContaining('It had 3') });
  }
});

test('13.15 finds inputs that completed in another recent run', async () => {
  const first = await start(agent(), ['p', 'q']);
  const second = await start(agent(), ['r']);
  world.texts.set('a.aip', agent());
  const third = await start(agent(), ['q', 'r', 's']);
  expect([first, second]).not.toContain(third);
  const again = await rerun(third, 'input:2');
  expect(again.asked).toEqual(['About s']);
});
