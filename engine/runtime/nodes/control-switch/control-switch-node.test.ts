import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { runSingleNode } from '../../../testing/run-single-node.ts';
import { controlSwitchNode } from './control-switch-node.ts';

const cases = [
  { when: { equals: { var: 'value.kind', value: 'bug' } }, route: 'mend' },
  { when: { gt: { var: 'value.votes', value: 10 } }, route: 'build' },
  { when: { exists: 'value.votes' }, route: 'wait' },
];

async function routeOf(value: JsonValue): Promise<JsonValue | undefined> {
  const { output, error } = await runSingleNode({ type: 'control.switch', input: { value, cases } });
  expect(error).toBeUndefined();
  expect(output).toEqual({ route: expect.any(String), value });
  return (output as { route: string }).route;
}

describe('choosing a branch', () => {
  test.each<[JsonValue, string]>([
    [{ kind: 'bug', votes: 50 }, 'mend'],
    [{ kind: 'idea', votes: 50 }, 'build'],
    [{ votes: 3 }, 'wait'],
    [{ kind: 'idea' }, 'default'],
    ['text', 'default'],
    [null, 'default'],
  ])('%j goes to %s, by the first case that is true', async (value, route) => {
    expect(await routeOf(value)).toBe(route);
  });

  test('conditions can use only its value, nothing else of the flow', async () => {
    const input = { value: 1, cases: [{ when: { exists: 'flow.input.x' }, route: 'a' }] };
    const { output } = await runSingleNode({ type: 'control.switch', input }, { inputs: { x: 1 } });
    expect(output).toEqual({ route: 'default', value: 1 });
  });

  test('the values in a case can be bindings', async () => {
    const when = { equals: { var: 'value', value: '{{flow.input.wanted}}' } };
    const input = { value: 7, cases: [{ when, route: '{{flow.input.name}}' }] };
    const { output } = await runSingleNode({ type: 'control.switch', input }, { inputs: { wanted: 7, name: 'seven' } });
    expect(output).toEqual({ route: 'seven', value: 7 });
  });

  test('every value goes to default if there are no cases', async () => {
    const { output } = await runSingleNode({ type: 'control.switch', input: { value: 1, cases: [] } });
    expect(output).toEqual({ route: 'default', value: 1 });
  });

  test.each([
    [[{ when: { equals: { var: '{{x}}', value: 1 } }, route: 'a' }]],
    [[{ when: { same: 1 }, route: 'a' }]],
    [[{ when: { and: [] }, route: '' }]],
    [[{ when: { and: [] } }]],
    ['all'],
  ])('rejects the cases %j', async (faulty) => {
    const input = { value: 1, cases: faulty };
    const { error } = await runSingleNode({ type: 'control.switch', input }, { inputs: { x: 1 } });
    expect(['node.bad-input', 'binding.missing']).toContain(error?.code);
  });
});

describe('routes of control.switch', () => {
  test('lists the routes in the file in order, without duplicates, plus default', () => {
    const twice = [...cases, { when: { and: [] }, route: 'mend' }, { when: { and: [] }, route: '{{a.b}}' }];
    expect(controlSwitchNode.routes?.({ value: 1, cases: twice })).toEqual(['mend', 'build', 'wait', 'default']);
  });

  test.each([[{}], [{ cases: '{{a.cases}}' }]])('%j has routes known only during a run', (input) => {
    expect(controlSwitchNode.routes?.(input)).toEqual([]);
  });

  test.each([[{ cases: [] }], [{ cases: [null, 1, {}, { route: 2 }, { route: '' }] }]])(
    'the unfinished %j has only the route default',
    (input) => {
      expect(controlSwitchNode.routes?.(input)).toEqual(['default']);
    },
  );
});

test('its card shows what it branches on', () => {
  expect(controlSwitchNode.summary?.({}, { value: '{{a.b}}', cases })).toEqual(['Picks a branch by ', { chip: 'a.b' }]);
  expect(controlSwitchNode.summary?.({}, {})).toEqual(['Picks a branch by ', 'nothing yet']);
});
