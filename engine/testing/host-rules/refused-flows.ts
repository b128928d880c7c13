/** Rules about flows that do not start, whatever host they are for. */
import { echo, edge, flow, type RefusedFlow, steps } from './host-rule.ts';

const retried = (retry: string): string =>
  flow([`{ id: a, type: echo, input: { text: x }, policy: { retry: ${retry} } }`]);

export const refusedFlows: readonly RefusedFlow[] = [
  { rule: 'FE-01 text that is not YAML', flow: 'flow: { name: x\nnodes: []\n', code: 'yaml.syntax' },
  { rule: 'FE-02 a flow without nodes', flow: 'flow: { name: x }\nedges: []\n', code: 'flow.missing-key' },
  { rule: 'FE-05 a cycle', flow: flow([echo('a'), echo('b')], [edge('a', 'b'), edge('b', 'a')]), code: 'edge.cycle' },
  { rule: 'FE-05 an edge of a node to itself', flow: flow([echo('a')], [edge('a', 'a')]), code: 'edge.cycle' },
  { rule: 'FE-06 an edge to an unknown node', flow: flow([echo('a')], [edge('a', 'b')]), code: 'edge.unknown-node' },
  { rule: 'FE-07 a flow without edges', flow: 'flow: { name: x }\nnodes: []\n', code: 'flow.missing-key' },
  { rule: 'FE-08 two nodes with one ID', flow: flow([echo('a'), echo('a')]), code: 'node.duplicate-id' },
  { rule: 'FE-08 an ID with a hyphen', flow: flow([echo('a-b')]), code: 'node.bad-id' },
  { rule: 'FE-08 the reserved ID flow', flow: flow([echo('flow')]), code: 'node.reserved-id' },
  { rule: 'FE-50 no attempts', flow: retried('{ maxAttempts: 0 }'), code: 'flow.bad-value' },
  { rule: 'FE-50 a negative number of attempts', flow: retried('{ maxAttempts: -1 }'), code: 'flow.bad-value' },
  { rule: 'FE-50 half an attempt', flow: retried('{ maxAttempts: 1.5 }'), code: 'flow.bad-value' },
  { rule: 'FE-50 an unknown number of attempts', flow: retried('{ backoffMs: 1 }'), code: 'flow.missing-key' },
  {
    rule: 'X-08 steps with an agent that acts',
    flow: steps('{ id: a, type: agent, agent: act.aip }'),
    code: 'step.agent-not-pure',
  },
  {
    rule: '13.3 an approval without a message and a title',
    flow: flow(['{ id: a, type: human_approval, input: {} }']),
    code: 'node.bad-input',
  },
];
