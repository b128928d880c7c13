/** Tests reruns of loops item by item. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { toErrorRecord } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { cutBehind } from '../../testing/cut-run.ts';
import { PaidRuns } from '../../testing/paid-runs.ts';

interface Wish {
  readonly items?: string;
  readonly body?: string;
  readonly input?: string;
  readonly ask?: string;
  readonly a?: string;
  readonly policy?: string;
  readonly more?: string;
  readonly edges?: string;
}

/** A loop with a paid call for each item; `a` is outside the loop, and `after` follows it. */
const flow = ({
  items = '[p, q, r, s, t]',
  body = 'ask',
  input = '',
  ask = '{{item}}',
  a = 'x',
  policy = '',
  more = '',
  edges = '',
}: Wish = {}): string => `
flow: { name: loop, input: { who: you }${policy} }
nodes:
  - { id: a, type: constant, input: { value: { text: ${a}, extra: ${a.length} } } }
  - { id: each, type: control.foreach, input: { items: ${items}, body: [${body}]${input} } }
  - { id: ask, type: paid, input: { text: "${ask}" } }
  - { id: after, type: json.query, input: { value: "{{each.iterations}}" }, config: { path: "$[*].outputs.ask.text" } }${more}
edges: [{ from: a, to: each }, { from: each, to: after }${edges}]`;

let runs: PaidRuns;
beforeEach(async () => {
  runs = await new PaidRuns().open();
});
afterEach(() => runs.world.close());

const start = (text = flow(), inputs = {}) => runs.start(text, inputs);
const rerun = (runId: RunId, text = flow(), nodeId?: string) => runs.rerun(runId, text, nodeId);

const answers = (texts: string) => [...texts].map((text) => `answer to ${text}`);

describe('13.15 failed items of a loop', () => {
  test('13.15 one tolerated failure: the other items are reused in place, with their inner results', async () => {
    runs.bad.add('r');
    const text = flow({ input: ', tolerate: true' });
    const first = await start(text);
    const again = await rerun(first, text);
    expect(again.paid).toEqual(['r']);
    expect(again.reused).toEqual(['a', 'each[0].ask', 'each[1].ask', 'each[3].ask', 'each[4].ask']);
    expect(again.taken[1]).toEqual({
      ...{ type: 'node:reused', nodeId: 'each[0].ask', fromRunId: first },
      output: { text: 'answer to p' },
    });
    expect(again.output).toEqual({ after: { value: answers('pqrst') } });
    expect(again.plan).toMatchObject({ fate: 'runs', items: { reused: 4, total: 5 } });
    expect(again.plan?.why).toBe('1 of its items failed before (4 of 5 items reused)');
  });

  test.each([
    ['the failure ended the loop', {}, 'rst', 2],
    ['failures are tolerated by the flow', { policy: ', policy: { failFast: false }' }, 'r', 4],
    ['failures are tolerated by the loop', { input: ', tolerate: true' }, 'r', 4],
    ['several items ran at once', { input: ', tolerate: true, maxParallel: 3' }, 'r', 4],
  ])('13.15 runs only what did not complete: %s', async (_, wish: Wish, left, reused) => {
    runs.bad.add('r');
    const first = await start(flow(wish));
    for (const nodeId of [undefined, 'each']) {
      const again = await rerun(first, flow(wish), nodeId);
      const isFirst = nodeId === undefined;
      if (isFirst) expect([again.paid.toSorted().join(''), again.plan?.items]).toEqual([left, { reused, total: 5 }]);
      expect([again.status, again.output]).toEqual(['completed', { after: { value: answers('pqrst') } }]);
    }
  });

  test('13.15 an item that failed again is retried by the next rerun, and the others remain reused', async () => {
    const text = flow({ input: ', tolerate: true' });
    runs.bad.add('r');
    let runId = await start(text);
    for (let round = 0; round < 3; round++) {
      runs.bad.add('r');
      const again = await rerun(runId, text);
      expect(again.paid).toEqual(['r']);
      runId = again.runId;
    }
    runs.bad.clear();
    const last = await rerun(runId, text);
    expect([last.paid, last.output]).toEqual([['r'], { after: { value: answers('pqrst') } }]);
    expect((await rerun(last.runId, text)).paid).toEqual([]);
  });
});

describe('13.15 items of a changed list', () => {
  test.each<[string, string, string, number]>([
    ['an item has changed', '[p, q, X, s, t]', 'X', 4],
    ['an item was added at the start', '[X, p, q, r, s, t]', 'X', 5],
    ['an item was added at the end', '[p, q, r, s, t, X]', 'X', 5],
    ['an item was removed', '[p, q, s, t]', '', 4],
    ['the order has changed', '[t, s, r, q, p]', '', 5],
    ['an item occurs twice', '[p, q, r, s, t, p]', 'p', 5],
    ['all items have changed', '[V, W]', 'VW', 0],
  ])('13.15 only new items run: %s', async (_, items, ran, reused) => {
    const first = await start();
    const again = await rerun(first, flow({ items }));
    expect([again.paid.join(''), again.plan?.items?.reused ?? 0]).toEqual([ran, reused]);
    const names = items.replaceAll(/[^A-Za-z]/g, '');
    expect(again.output).toEqual({ after: { value: answers(names) } });
  });

  test('13.15 an item that moved records its former index, and can be reused from there again', async () => {
    const first = await start();
    const moved = await rerun(first, flow({ items: '[X, p]' }));
    expect(moved.taken.at(-1)).toMatchObject({ nodeId: 'each[1].ask', fromNodeId: 'each[0].ask', fromRunId: first });
    const back = await rerun(moved.runId, flow({ items: '[p, X]' }));
    expect([back.paid, back.output]).toEqual([[], { after: { value: answers('pX') } }]);
  });

  test('13.15 a body that reads the index reuses items only at the same index', async () => {
    const ask = '{{loop.index}} {{item}}';
    const first = await start(flow({ ask }));
    expect((await rerun(first, flow({ ask, items: '[p, q, r, s, t, X]' }))).paid).toEqual(['5 X']);
    expect((await rerun(first, flow({ ask, items: '[X, p]' }))).paid).toEqual(['0 X', '1 p']);
  });

  test('13.15 finds items in any of the latest runs', async () => {
    const first = await start(flow({ items: '[p, q]' }));
    const second = await start(flow({ items: '[r]' }));
    const again = await rerun(second, flow({ items: '[q, r, X, p]' }));
    expect(again.paid).toEqual(['X']);
    expect(again.taken.filter(({ nodeId }) => nodeId.startsWith('each')).map(({ fromRunId }) => fromRunId)).toEqual([
      first,
      second,
      first,
    ]);
  });
});

describe('13.15 dependencies of an item', () => {
  test.each<[string, Wish, Wish, number]>([
    ['its definition', {}, { ask: '{{item}}!' }, 5],
    [
      'what it reads outside of the loop',
      { ask: '{{a.value.text}} {{item}}' },
      { ask: '{{a.value.text}} {{item}}', a: 'y' },
      5,
    ],
    [
      'what is there and it does not read',
      { ask: '{{a.value.extra}} {{item}}' },
      { ask: '{{a.value.extra}} {{item}}', a: 'y' },
      0,
    ],
    ['nothing outside', {}, { a: 'y' }, 0],
    ['how many run at once', {}, { input: ', maxParallel: 4' }, 0],
    ['whether failures are tolerated', {}, { input: ', tolerate: true' }, 0],
    ['what the item is called', {}, { input: ', as: thing', ask: '{{thing}}' }, 5],
    [
      'a node more in the body',
      {},
      { body: 'ask, also', more: '\n  - { id: also, type: constant, input: { value: 1 } }' },
      5,
    ],
  ])('13.15 %s', async (_, before, after, count) => {
    const first = await start(flow(before));
    const again = await rerun(first, flow(after));
    expect(again.paid).toHaveLength(count);
    expect(again.status).toBe('completed');
  });

  test('13.15 inputs of the flow that the body reads', async () => {
    const ask = '{{flow.input.who}} {{item}}';
    const first = await start(flow({ ask }));
    await start(flow({ ask }), { who: 'me' });
    expect((await rerun(first, flow({ ask, items: '[p, X]' }))).paid).toEqual(['you X']);
    expect((await rerun(first, flow({ ask }).replace('who: you', 'who: us'))).paid).toHaveLength(5);
  });

  test('13.15 the settings of the types in the body, such as those of a model', async () => {
    const first = await start();
    runs.settings = 'second';
    expect((await rerun(first)).paid).toHaveLength(5);
    runs.settings = 'first';
    expect((await rerun(first, flow({ items: '[p, X]' }))).paid).toEqual(['X']);
  });

  test('13.15 a node before the loop that ran and produced the same output changes nothing', async () => {
    const ask = '{{a.value.text}} {{item}}';
    const first = await start(flow({ ask }));
    const again = await rerun(first, flow({ ask }), 'a');
    expect([again.paid, again.reused]).toEqual([[], [0, 1, 2, 3, 4].map((index) => `each[${index}].ask`)]);
  });

  test('13.15 an item that required an answer asks for it again', async () => {
    const more = '\n  - { id: ok, type: human_approval, input: { message: "{{item}}?" } }';
    const text = flow({ body: 'ok, ask', more, items: '[p]' });
    const { runId, ended } = await runs.world.executor.startRun({ path: 'a.flow.yaml', text, inputs: {} });
    expect((await ended).status).toBe('suspended');
    const answered = await runs.world.executor.resumeRun({ runId, nodeId: 'each[0].ok', payload: { approved: true } });
    expect((await answered.ended).status).toBe('completed');
    const again = await rerun(runId, text);
    expect([again.status, again.reused]).toEqual(['suspended', ['a']]);
  });
});

describe('13.15 rerunning one item', () => {
  test('13.15 runs that item, reuses the others, and continues after the loop', async () => {
    const first = await start();
    for (const place of ['each[3]', 'each[3].ask']) {
      const again = await rerun(first, flow(), place);
      expect([again.paid, again.status]).toEqual([['s'], 'completed']);
      expect(again.plan).toMatchObject({ fate: 'runs', items: { reused: 4, total: 5 } });
      expect(again.plan?.why).toBe(`${place} runs again (4 of 5 items reused)`);
    }
  });

  test.each([
    ['each[5]', 'node.not-found', 'had no item 5'],
    ['other[0]', 'node.not-found', 'no node "other[0]"'],
    ['each[0].none[1]', 'node.not-found', 'no loop "each[0].none"'],
    ['ask', 'node.not-found', 'no node "ask"'],
    ['each[x]', 'node.not-found', 'no node'],
  ])('13.15 rejects a path that does not exist: %s', async (nodeId, code, words) => {
    const first = await start();
    const refusal = await runs.world.executor.plans
      .planRerun({ runId: first, text: flow(), nodeId })
      .catch(toErrorRecord);
    expect(refusal).toMatchObject({ code, message: expect.stringContaining(words) });
  });

  test('13.15 an unchanged loop runs completely when it is rerun explicitly', async () => {
    const first = await start();
    expect((await rerun(first, flow(), 'each')).paid.join('')).toBe('pqrst');
    expect((await rerun(first, flow({ items: '[p, q, X]' }), 'each')).paid.join('')).toBe('X');
  });
});

test('13.15 a rerun interrupted at any point resumes with the same items and pays for none twice', async () => {
  runs.bad.add('q');
  const text = flow({ items: '[p, q, r]', input: ', tolerate: true' });
  const first = await start(text);
  const again = await rerun(first, text);
  const log = runs.world.store.readEvents(again.runId, -1, 1000);
  const begun = log.findIndex(({ event }) => event.type === 'task:start' && event.nodeId === 'each[1].ask');
  const answered = log.findIndex(({ event }) => event.type === 'task:complete' && event.nodeId === 'each[1].ask');
  for (let length = 1; length < log.length; length++) {
    const cut = cutBehind(runs.world, log.slice(0, length));
    runs.paid.length = 0;
    const { ended } = await runs.world.executor.resumeRun({ runId: cut });
    expect((await ended).status).toBe('completed');
    // Before the item has started, another recent run can provide it.
    expect([length, runs.paid]).toEqual([length, length > begun && length <= answered ? ['q'] : []]);
    expect(runs.read(cut).output).toEqual({ after: { value: answers('pqr') } });
  }
});
