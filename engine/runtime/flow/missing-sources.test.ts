/** Tests error messages for a binding to a node without output. */
import { describe, expect, test } from 'vitest';
import { testNode } from '../../testing/test-node.ts';
import { type TestRunOptions, testRun } from '../../testing/test-run.ts';
import type { EventEnvelope } from '../kernel/events/run-event.ts';

const breaker = testNode('breaker', async () => {
  throw new Error('The disk is full.');
});
const quiet = testNode('quiet', async () => ({ text: 'x' }));
const options: TestRunOptions = { nodeTypes: [breaker, quiet], inputs: { go: false } };

const flow = (source: string, more = '') => `
flow: { name: f, input: { go: false } }
nodes:
  - { id: a, ${source} }
  - { id: b, type: echo, input: { text: "[{{a.text}}]" } }
  ${more}
edges: [{ from: a, to: b }]`;

const noGo = '{ equals: { var: flow.input.go, value: true } }';

async function problem(text: string): Promise<{ message: string; absent: unknown }> {
  const { end, events } = await testRun(text, options);
  expect(end.error).toMatchObject({ code: 'binding.missing', nodeId: 'b' });
  for (let length = 1; length < events.length - 1; length++) {
    const stored: EventEnvelope[] = JSON.parse(JSON.stringify(events.slice(0, length)));
    const again = await testRun(text, { ...options, resume: { events: stored } });
    expect([length, again.end.error]).toEqual([length, end.error]);
  }
  const { message = '', details } = end.error ?? {};
  return { message, absent: (details as { absent?: unknown } | undefined)?.absent };
}

describe('BB-51 a binding to a node without output reports', () => {
  test('that the node is disabled', async () => {
    expect(await problem(flow('type: quiet, disabled: true, input: {}'))).toEqual({
      message:
        'The path "a.text" has no value because "a" was skipped: it is disabled. Write {{?a.text}} or a default if it may be missing.',
      absent: { at: 'a', is: 'skipped', reason: 'disabled' },
    });
  });

  test('that it was skipped, by which condition, and the values in it', async () => {
    expect(await problem(flow(`type: quiet, when: ${noGo}, input: {}`))).toEqual({
      message:
        'The path "a.text" has no value because "a" was skipped: its condition was false (flow.input.go is false, not true). Write {{?a.text}} or a default if it may be missing.',
      absent: { at: 'a', is: 'skipped', reason: 'when', cause: 'flow.input.go is false, not true' },
    });
  });

  test('that no edge to it was taken, and why', async () => {
    const before = `- { id: first, type: quiet, input: {} }`;
    const text = flow('type: quiet, input: {}', before).replace(
      'edges: [',
      `edges: [{ from: first, to: a, when: ${noGo} }, `,
    );
    expect((await problem(text)).absent).toEqual({
      at: 'a',
      is: 'skipped',
      reason: 'edge',
      cause: 'flow.input.go is false, not true',
    });
  });

  test('that it failed, with the code and the message', async () => {
    expect(await problem(flow('type: breaker, policy: { continueOnError: true }, input: {}'))).toEqual({
      message:
        'The path "a.text" has no value because "a" failed with internal: The disk is full. Write {{?a.text}} or a default if it may be missing.',
      absent: { at: 'a', is: 'failed', code: 'internal', message: 'The disk is full.' },
    });
  });

  test('why the node that its condition depends on was skipped, without infinite recursion', async () => {
    const long = 'x'.repeat(200);
    const chain = `- { id: first, type: quiet, disabled: true, input: {} }`;
    const when = `{ and: [{ exists: first.text }, { exists: first.${long} }, { exists: first.${long} }] }`;
    const text = flow(`type: quiet, when: ${when}, input: {}`, chain).replace(
      'edges: [',
      'edges: [{ from: first, to: a }, ',
    );
    const { absent } = await problem(text);
    const { cause } = absent as { cause: string };
    expect(cause).toMatch(/^first\.text is missing \("first" was skipped: it is disabled\) and first\.x+/);
    expect(cause).toHaveLength(300);
  });

  test('the same for a node in the output of a loop', async () => {
    const text = `
flow: { name: f }
nodes:
  - { id: each, type: control.foreach, input: { items: [1], body: [a] } }
  - { id: a, type: breaker, policy: { continueOnError: true }, input: {} }
  - { id: b, type: echo, input: { text: "{{each.iterations[0].outputs.a.text}}" } }
edges: [{ from: each, to: b }]`;
    expect((await problem(text)).absent).toEqual({
      at: 'each.iterations.0.outputs.a',
      is: 'failed',
      code: 'internal',
      message: 'The disk is full.',
    });
  });
});
