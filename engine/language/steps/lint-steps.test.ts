import { expect, test } from 'vitest';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { checkFlow } from '../flow/check-flow.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import { riskFindings } from './lint-steps.ts';

test.each([
  ['no approval', '[danger]', [0]],
  ['an approval before it', '[ok, danger]', []],
  ['an approval that another tool has used up', '[ok, safe, danger]', [2]],
  ['one approval for two', '[ok, danger, danger]', [2]],
  ['an approval after it', '[danger, ok]', [0]],
  ['an unknown tool', '[unknown]', []],
])('MF-180 a high-risk tool with %s', (_, order, expected) => {
  const steps = JSON.parse(order.replace(/\w+/g, '"$&"')).map((name: string) =>
    name === 'ok' ? { type: 'human_approval' } : { type: 'tool', tool: `p.${name}` },
  );
  const parsed = parseFlow(JSON.stringify({ id: 'a', steps }));
  const riskOf = (tool: string) => (({ 'p.danger': 'high', 'p.safe': 'low' }) as const)[tool];
  const found = riskFindings(parsed.steps?.steps ?? [], riskOf);
  expect(found.map(({ code, severity, path }) => [code, severity, path])).toEqual(
    expected.map((index) => ['step.risky-tool', 'warning', ['nodes', index, 'config', 'tool']]),
  );
});

/** Returns the warnings of a file, none of which prevents a run. */
function warningsOf(steps: string): string {
  const { diagnostics, flow } = checkFlow(`id: a\nsteps:\n${steps}\n`, createNodeRegistry(builtinNodes));
  expect(flow).not.toBeNull();
  return diagnostics
    .map(({ range, severity, code, message }) => `${range.line}:${range.column} ${severity} ${code} ${message}`)
    .join('\n');
}

const rows = `
MF-133 | { id: s, type: agent, agent: writer } => 3:34 warning step.bare-name The agent "writer" has no product prefix
MF-133 | { id: s, type: tool, tool: lookup } => 3:32 warning step.bare-name The tool "lookup" has no product prefix
MF-180 | { id: s, type: agent, agent: p.a, params: { if: x } } => 3:49 warning step.logic The parameter "if" looks like logic.
MF-180 | { id: s, type: agent, agent: p.a, params: { a: [{ then: x }] } } => warning step.logic The parameter "then"
key | { id: s, type: agent, agent: p.a, tool: p.t } => 3:45 warning step.unused-key A step of type agent does not read "tool" (only agent, retry), so "tool" has no effect here.
key | { id: s, type: plan_proposal, agent: p.a, retry: { max_attempts: 2 } } => warning step.unused-key A step of type plan_proposal is never retried, so "retry" has no effect here.
MF-153 | { id: s, type: agent, agent: p.a, params: { a: "x {{flow.input.b}}" } } => 3:55 warning step.strange-template {{flow.input.b}} is not a template of step flows, so it is used as written.
MF-153 | { id: s, type: agent, agent: p.a, params: { a: "{{ payload.a + 1 }}" } } => warning step.strange-template {{ payload.a + 1 }}
`;

test.each(
  rows
    .trim()
    .split('\n')
    .map((row) => row.split(/ \| | => /)),
)('%s %s causes a warning', (_, step = '', expected = '') => {
  expect(warningsOf(`  - ${step}`)).toContain(expected);
});

test('MF-180 an agent with many responsibilities', () => {
  const steps = (count: number): string =>
    Array.from({ length: count }, (_, n) => `  - { id: s${n}, type: agent, agent: p.a }`).join('\n');
  expect(warningsOf(steps(3))).toBe('');
  expect(warningsOf(steps(5))).toContain('6:35 warning step.many-duties "p.a" runs 5 steps of this flow.');
});
