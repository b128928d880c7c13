/** Tests what is recorded, and when. */
import { describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { type TestNodeRun, testNode } from '../../testing/test-node.ts';
import { testRun, traceOf } from '../../testing/test-run.ts';

const pair = `
  flow: { name: pair }
  nodes:
    - { id: a, type: echo, input: { text: hello } }
    - { id: b, type: echo, input: { text: "{{a.text}}" } }
  edges: [ { from: a, to: b } ]`;

describe('durability', () => {
  test('records a result before a dependent node starts, and an external node before it acts', async () => {
    const log: string[] = [];
    const noteRun: TestNodeRun = async ({ nodeId }) => {
      log.push(`run ${nodeId}`);
      return null;
    };
    const spy = testNode('spy', noteRun);
    const external = testNode('external', noteRun, 'external');
    await testRun(
      `
      flow: { name: f }
      nodes:
        - { id: a, type: spy, input: {} }
        - { id: skipped, type: spy, input: {}, disabled: true }
        - { id: b, type: external, input: {} }
      edges: [ { from: a, to: skipped }, { from: skipped, to: b } ]`,
      { nodeTypes: [spy, external], onRecord: (group) => log.push(...traceOf(group, ['task:', 'node:skipped'])) },
    );
    expect(log).toEqual([
      'run a',
      'task:start a',
      'task:complete a',
      'node:skipped skipped',
      'task:start b',
      'run b',
      'task:complete b',
    ]);
  });

  test('records that a node was skipped before any other node runs', async () => {
    const log: string[] = [];
    const spy = testNode('spy', async ({ nodeId }) => {
      log.push(`run ${nodeId}`);
      return null;
    });
    await testRun(
      `
      flow: { name: f }
      nodes: [ { id: a, type: spy, input: {}, disabled: true }, { id: b, type: spy, input: {} } ]
      edges: []`,
      { nodeTypes: [spy], onRecord: (group) => log.push(...traceOf(group, ['node:skipped'])) },
    );
    expect(log).toEqual(['node:skipped a', 'run b']);
  });

  test('when events can no longer be recorded, the run stops and fails with that error, and its end is emitted', async () => {
    const full = new EngineError({ code: 'store.full', message: 'The disk is full' });
    let groups = 0;
    const { end, events } = await testRun(pair, {
      onRecord: () => {
        groups++;
        if (groups > 1) throw full;
      },
    });
    expect(end).toMatchObject({ status: 'failed', error: { code: 'store.full', message: 'The disk is full' } });
    expect(traceOf(events, ['task:start', 'run:'])).toEqual(['run:start pair', 'task:start a', 'run:end failed']);
    expect(groups).toBe(2);
  });

  test('an external node does not act if its start cannot be recorded', async () => {
    let hasRun = false;
    const external = testNode(
      'external',
      async () => {
        hasRun = true;
        return null;
      },
      'external',
    );
    const { end } = await testRun('flow: { name: f }\nnodes: [{ id: a, type: external, input: {} }]\nedges: []', {
      nodeTypes: [external],
      onRecord: (group) => {
        if (group.some(({ event }) => event.type === 'task:start')) {
          throw new EngineError({ code: 'store.full', message: 'The disk is full' });
        }
      },
    });
    expect([hasRun, end.status, end.error?.code]).toEqual([false, 'failed', 'store.full']);
  });
});
