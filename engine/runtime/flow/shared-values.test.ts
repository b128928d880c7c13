/** Tests that values shared by nodes, attempts, runs and the log cannot be changed for others. */
import { describe, expect, test } from 'vitest';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { type TestNodeRun, testNode } from '../../testing/test-node.ts';
import { compileText, testRun } from '../../testing/test-run.ts';

/** Attempts every change that JavaScript or non-strict code can make to a value, at every depth. */
function vandalise(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  for (const part of Object.values(value)) vandalise(part);
  Reflect.set(value, 'added', 'by a vandal');
  for (const key of Object.keys(value)) Reflect.set(value, key, 'spoilt');
  if (Array.isArray(value)) Reflect.set(value, 'length', 0);
}

const text = `
flow: { name: f, input: { list: [1, { deep: true }] } }
nodes:
  - { id: giver, type: giver, input: {} }
  - { id: vandal, type: vandal, config: { own: { a: [1] } }, input: { map: "{{giver.map}}", list: "{{flow.input.list}}", own: { b: [2] }, set: "{{?giver.none | default:{\\"c\\": [3]}}}" } }
  - { id: reader, type: constant, input: { value: { map: "{{giver.map}}", list: "{{flow.input.list}}" } } }
edges: [{ from: giver, to: vandal }, { from: vandal, to: reader }]`;

function types(run: TestNodeRun, held: JsonMap = { map: { a: [{ b: 'c' }] } }) {
  return [testNode('giver', async () => held), testNode('vandal', run)];
}

const untouched = { value: { map: { a: [{ b: 'c' }] }, list: [1, { deep: true }] } };

describe('a node that changes', () => {
  test('its input: later nodes, later runs and the log see the original', async () => {
    const flow = compileText(text);
    const inputs: JsonValue[] = [];
    const nodeTypes = types(async ({ input, config }) => {
      inputs.push(JSON.parse(JSON.stringify({ input, config })));
      vandalise(input);
      vandalise(config);
      return null;
    });
    for (const _ of [1, 2]) {
      const { end, events } = await testRun(flow, { nodeTypes });
      expect(end.output).toEqual({ reader: untouched });
      const told = events.flatMap(({ event }) =>
        event.type === 'node:input' && event.nodeId === 'vandal' ? [event.input] : [],
      );
      expect(told).toEqual([{ map: { a: [{ b: 'c' }] }, list: [1, { deep: true }], own: { b: [2] }, set: { c: [3] } }]);
    }
    expect(inputs[1]).toEqual(inputs[0]);
  });

  test('its input and then fails: the next attempt gets the original', async () => {
    const seen: string[] = [];
    const nodeTypes = types(async ({ input, config }) => {
      seen.push(JSON.stringify([input, config]));
      vandalise([input, config]);
      throw new Error('again');
    });
    await testRun(text.replace('type: vandal,', 'type: vandal, policy: { retry: { maxAttempts: 3 } },'), { nodeTypes });
    expect(new Set(seen).size).toBe(1);
    expect(seen).toHaveLength(3);
  });

  test('its output long after it has ended', async () => {
    const held = { map: { a: [{ b: 'c' }] } };
    const nodeTypes = types(async () => {
      vandalise(held);
      return null;
    }, held);
    const { end, events } = await testRun(text, { nodeTypes });
    expect(end.output).toEqual({ reader: untouched });
    const told = events.flatMap(({ event }) =>
      event.type === 'task:complete' && event.nodeId === 'giver' ? [event.result] : [],
    );
    expect(told).toEqual([{ map: { a: [{ b: 'c' }] } }]);
  });

  test('an event that it emitted on its hub', async () => {
    const nodeTypes = types(async ({ hub }) => {
      const event = { type: 'log', level: 'info', text: 'as it was' };
      hub.emit(event as never);
      event.text = 'changed';
      return null;
    });
    const { events } = await testRun(text, { nodeTypes });
    expect(events.flatMap(({ event }) => (event.type === 'log' ? [event.text] : []))).toEqual(['as it was']);
  });

  test('the item of a loop: other nodes of the body and the loop itself keep the original', async () => {
    const { end } = await testRun(
      `
flow: { name: f }
nodes:
  - { id: each, type: control.foreach, input: { items: [{ a: [1] }], body: [spoil, keep] } }
  - { id: spoil, type: vandal, input: { item: "{{item}}", loop: "{{loop}}" } }
  - { id: keep, type: constant, input: { value: "{{item}}" } }
edges: [{ from: spoil, to: keep }]`,
      {
        nodeTypes: types(async ({ input }) => {
          vandalise(input);
          return null;
        }),
      },
    );
    const outputs = { spoil: null, keep: { value: { a: [1] } } };
    expect(end.output).toEqual({ each: { iterations: [{ index: 0, item: { a: [1] }, outputs }] } });
  });
});

test('a caller that changes the inputs during the run has no effect on it', async () => {
  const inputs = { list: [1, { deep: true }] };
  const nodeTypes = types(async () => {
    vandalise(inputs);
    return null;
  });
  const { end, events } = await testRun(text, { nodeTypes, inputs });
  expect(end.output).toEqual({ reader: untouched });
  expect(events[0]?.event).toMatchObject({ type: 'run:start', inputs: { list: [1, { deep: true }] } });
});
