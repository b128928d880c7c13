/** Nodes whose end is known before they start: each ends in a turn of its own, however many there are. */
import { expect, test } from 'vitest';
import { testRun } from '../testing/test-run.ts';

const count = 3_000;

test.each([1, count])(
  '%s at a time, thousands of nodes that fail at once end without running out of stack',
  async (parallel) => {
    const nodes = Array.from(
      { length: count },
      (_, index) => `  - { id: n${index}, type: echo, input: { text: "{{gone.text}}" } }`,
    );
    const text = `flow: { name: f, policy: { failFast: false, maxParallel: ${parallel} } }\nnodes:\n${nodes.join('\n')}\nedges: []\n`;
    const { events, end } = await testRun(text);
    expect(end.failedNodes).toHaveLength(count);
    expect(events.filter(({ event }) => event.type === 'task:failed')).toHaveLength(count);
  },
);
