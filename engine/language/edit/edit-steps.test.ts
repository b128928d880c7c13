import { describe, expect, test } from 'vitest';
import { stepCorpus } from '../../testing/step-corpus.ts';
import { changedText, diffBy } from '../../testing/text-diff.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import type { JsonValue } from '../json/json-value.ts';
import { editFlow } from './edit-flow.ts';
import type { ChangePath, FlowChange } from './flow-change.ts';

const { usual, json, nameless, tight, tabs } = stepCorpus;

const set = (id: string, path: ChangePath, value: JsonValue | undefined): FlowChange => ({
  do: 'set-node',
  id,
  path,
  value,
});
const newTool = {
  id: 'check',
  type: 'tool',
  input: { order: '{{payload.order_id}}' },
  config: { tool: 'shop.check' },
};

function idsOf(text: string): readonly string[] {
  return parseFlow(text).doc?.nodes.map(({ id }) => id) ?? [];
}

describe('a new step', () => {
  test('is added after another, and everything else stays unchanged', () => {
    expect(diffBy(usual, { do: 'add', nodes: [newTool], after: 'load' })).toEqual([
      '+  - id: check',
      '+    type: tool',
      '+    tool: shop.check',
      '+    params:',
      '+      order: "{{payload.order_id}}"',
      '+',
    ]);
  });

  test('is added before the first one', () => {
    const changes: FlowChange[] = [
      { do: 'add', nodes: [newTool] },
      { do: 'reorder', nodes: ['check'], side: 'before', of: 'load' },
    ];
    expect(idsOf(changedText(usual, { do: 'all', changes, label: 'Add' }))).toEqual([
      'check',
      'load',
      'ask_reason',
      'find',
      'ok',
    ]);
  });

  test('is written on several lines in formatted JSON, and on one line in compact JSON', () => {
    const spread = changedText(json, { do: 'add', nodes: [newTool], after: 'load' });
    expect(JSON.parse(spread).steps.map(({ id }: { id: string }) => id)).toEqual(['load', 'check', 'note', 'ok']);
    expect(diffBy(json, { do: 'add', nodes: [newTool], after: 'load' })).toEqual([
      '+      "id": "check",',
      '+      "type": "tool",',
      '+      "tool": "shop.check",',
      '+      "params": {',
      '+        "order": "{{payload.order_id}}"',
      '+      }',
      '+    },',
      '+    {',
    ]);
    expect(changedText(tabs, { do: 'add', nodes: [newTool], after: 'load' })).toContain(
      '\n\t\t{\n\t\t\t"id": "check",\n\t\t\t"type"',
    );
    const dense = changedText(tight, { do: 'add', nodes: [newTool], after: 'a' });
    expect(JSON.parse(dense).steps[1]).toEqual({
      id: 'check',
      type: 'tool',
      tool: 'shop.check',
      params: { order: '{{payload.order_id}}' },
    });
    expect(dense).not.toContain('\n');
  });

  test('uses the retry keys of steps, and seconds', () => {
    const node = { ...newTool, policy: { retry: { maxAttempts: 3, backoffMs: 1500 } } };
    expect(diffBy(usual, { do: 'add', nodes: [node] })).toContain(
      '+    retry: { max_attempts: 3, backoff_seconds: 1.5 }',
    );
  });
});

describe('reordered steps', () => {
  test('move with their comments', () => {
    const text = changedText(usual, { do: 'reorder', nodes: ['load'], side: 'behind', of: 'ask_reason' });
    expect(idsOf(text)).toEqual(['ask_reason', 'load', 'find', 'ok']);
    expect(text).toContain('  # Gets the order\n  - id: load\n');
    expect(text).toContain('backoff_seconds: 2 }   # it is slow\n');
    expect([...text].sort()).toEqual([...usual].sort());
  });

  test('stay valid JSON with unchanged content', () => {
    const text = changedText(json, { do: 'reorder', nodes: ['ok'], side: 'before', of: 'load' });
    expect(JSON.parse(text).steps.map(({ id }: { id: string }) => id)).toEqual(['ok', 'load', 'note']);
    expect([...text].sort()).toEqual([...json].sort());
  });

  test('keep the IDs derived from their index or name', () => {
    const text = changedText(nameless, { do: 'reorder', nodes: ['step_0'], side: 'behind', of: 'step_2' });
    expect(idsOf(text)).toEqual(['second', 'step_2', 'step_0']);
    expect(text).toContain('from: "{{artifacts.step.step_0.output}}');
  });
});

describe('a removed step', () => {
  test('leaves no gap, and is removed with its comment', () => {
    const text = changedText(usual, { do: 'remove', nodes: ['ask_reason'], edges: [] });
    expect(idsOf(text)).toEqual(['load', 'find', 'ok']);
    expect(
      diffBy(usual, { do: 'remove', nodes: ['ask_reason'], edges: [] }).every((line) => line.startsWith('-')),
    ).toBe(true);
  });

  test('leaves the IDs of later steps that were derived from their index unchanged', () => {
    const text = changedText(nameless, { do: 'remove', nodes: ['second'], edges: [] });
    expect(idsOf(text)).toEqual(['step_0', 'step_2']);
    expect(diffBy(nameless, { do: 'remove', nodes: ['second'], edges: [] })).toContain('+- id: step_2');
  });

  test('leaves valid JSON, even if it is the last one', () => {
    for (const id of ['load', 'note', 'ok']) {
      const text = changedText(json, { do: 'remove', nodes: [id], edges: [] });
      expect(JSON.parse(text).steps).toHaveLength(2);
    }
  });
});

describe('a new id', () => {
  test('is updated in every template that reads the step, and in no other', () => {
    expect(diffBy(usual, { do: 'rename', id: 'load', to: 'fetch' })).toEqual([
      '-  - id: load',
      '+  - id: fetch',
      '-  - { id: find, type: tool, tool: shop.find, params: { order: "{{artifacts.step.load.output}}" } }   # short',
      '+  - { id: find, type: tool, tool: shop.find, params: { order: "{{artifacts.step.fetch.output}}" } }   # short',
      '-            Order {{ artifacts.step.load.output.id }}',
      '-              of {{artifacts.step.load.output}}, not {{artifacts.step.loaded.output}}.',
      '+            Order {{ artifacts.step.fetch.output.id }}',
      '+              of {{artifacts.step.fetch.output}}, not {{artifacts.step.loaded.output}}.',
    ]);
  });

  test('is written explicitly if the name was the ID, and the name stays', () => {
    expect(diffBy(nameless, { do: 'rename', id: 'second', to: 'two' })).toEqual([
      '-- name: second',
      '+- id: two',
      '+  name: second',
      '-    from: "{{artifacts.step.step_0.output}} and {{artifacts.step.second.output}}"',
      '+    from: "{{artifacts.step.step_0.output}} and {{artifacts.step.two.output}}"',
    ]);
  });

  test('matches the longest ID that a template can refer to', () => {
    const text =
      'id: f\nsteps:\n- { id: a, type: tool, tool: p.t }\n- { id: a.b, type: tool, tool: p.t, params: { x: "{{artifacts.step.a.b.output}} {{artifacts.step.a.output}}" } }\n';
    expect(changedText(text, { do: 'rename', id: 'a', to: 'c' })).toContain(
      '"{{artifacts.step.a.b.output}} {{artifacts.step.c.output}}"',
    );
  });
});

test('a display name does not change the ID of the flow or of a step', () => {
  expect(diffBy(nameless, { do: 'set-flow', path: ['name'], value: 'No names' })).toEqual([
    '-name: nameless',
    '+id: nameless',
    '+name: No names',
  ]);
  expect(diffBy(usual, { do: 'set-flow', path: ['name'], value: 'Refunds' })).toEqual(['+name: Refunds']);
  const named = usual.replace('owner: kim', 'display_name: Old');
  expect(diffBy(named, { do: 'set-flow', path: ['name'], value: 'New' })).toEqual([
    '-metadata: { display_name: Old }',
    '+metadata: { display_name: New }',
  ]);
  expect(diffBy(nameless, set('second', ['name'], 'Second'))).toEqual([
    '-- name: second',
    '+- id: second',
    '+  name: Second',
  ]);
});

test.each<[string, FlowChange, readonly string[]]>([
  [
    'params',
    set('load', ['input', 'order'], 7),
    ['-    params: { order: "{{payload.order_id}}" }', '+    params: { order: 7 }'],
  ],
  [
    'the last of the params',
    set('load', ['input', 'order'], undefined),
    ['-    params: { order: "{{payload.order_id}}" }'],
  ],
  ['a tool', set('load', ['config', 'tool'], 'shop.find'), ['-    tool: shop.order_lookup', '+    tool: shop.find']],
  [
    'attempts',
    set('load', ['policy', 'retry', 'maxAttempts'], 4),
    [
      '-    retry: { max_attempts: 3, backoff_seconds: 2 }   # it is slow',
      '+    retry: { max_attempts: 4, backoff_seconds: 2 }   # it is slow',
    ],
  ],
  [
    'a pause, in seconds',
    set('load', ['policy', 'retry', 'backoffMs'], 500),
    [
      '-    retry: { max_attempts: 3, backoff_seconds: 2 }   # it is slow',
      '+    retry: { max_attempts: 3, backoff_seconds: 0.5 }   # it is slow',
    ],
  ],
  [
    'no retry',
    set('load', ['policy', 'retry'], undefined),
    ['-    retry: { max_attempts: 3, backoff_seconds: 2 }   # it is slow'],
  ],
  [
    'an autonomy level',
    { do: 'set-flow', path: ['policy', 'autonomy'], value: 'full_auto' },
    ['-autonomy_level: semi_auto', '+autonomy_level: full_auto'],
  ],
])('%s change in their own line', (_, change, diff) => {
  expect(diffBy(usual, change)).toEqual(diff);
});

test('sets codes under the name that the file uses', () => {
  expect(changedText(nameless, set('step_2', ['policy', 'retry', 'retry_on_codes'], ['a', 'b']))).toContain(
    '    retry_on: [a, b]\n',
  );
});

test('formats a single step', () => {
  const text = usual
    .replace('tool: shop.order_lookup', 'tool:   shop.order_lookup')
    .replace('message: >-', 'message:  >-');
  expect(changedText(text, { do: 'format', node: 'load' })).toBe(usual.replace('message: >-', 'message:  >-'));
});

const convert = 'Convert it to FlowSpec for that.';

test.each<[FlowChange, string]>([
  [{ do: 'connect', edges: [{ from: 'load', to: 'ok' }] }, `cannot have edges: its steps run one after another`],
  [{ do: 'set-edge', edge: 'load->ask_reason', change: { when: null } }, convert],
  [{ do: 'splice', node: 'ok', edge: 'load->ask_reason' }, convert],
  [{ do: 'remove', nodes: [], edges: ['load->ask_reason'] }, convert],
  [{ do: 'move', positions: { load: { x: 1, y: 1 } } }, 'cannot have positions, notes or groups'],
  [{ do: 'set-layout', path: ['direction'], value: 'down' }, convert],
  [{ do: 'add', nodes: [newTool], positions: { check: { x: 1, y: 1 } } }, convert],
  [{ do: 'add', nodes: [newTool], edges: [{ from: 'load', to: 'check' }] }, convert],
  [{ do: 'add', nodes: [newTool], loopId: 'load' }, 'cannot have loops'],
  [{ do: 'add', nodes: [{ ...newTool, type: 'http.request' }] }, 'convert the flow to FlowSpec to use other nodes.'],
  [{ do: 'add', nodes: [{ ...newTool, disabled: true }] }, 'cannot have disabled steps'],
  [{ do: 'add', nodes: [{ ...newTool, config: { model: 'm' } }] }, 'Steps have no setting "model"'],
  [{ do: 'add', nodes: [{ ...newTool, id: 'a/b' }] }, '"id" must not contain /'],
  [{ do: 'add', nodes: [{ ...newTool, id: 'load' }] }, 'Another step already has the id "load".'],
  [{ do: 'extract', nodes: ['load'], file: 'x.yaml', name: 'X' }, 'cannot have calls of other flows'],
  [set('load', ['disabled'], true), 'cannot have disabled steps'],
  [set('load', ['when'], { exists: 'a.b' }), 'cannot have conditions'],
  [set('load', ['description'], 'x'), convert],
  [set('load', ['policy', 'timeoutMs'], 5), 'cannot have a policy per step other than retry'],
  [set('load', ['policy'], { continueOnError: true }), convert],
  [set('load', ['type'], 'control.foreach'), 'is not a step type'],
  [set('load', ['config', 'model'], 'm'), 'no setting "model"'],
  [set('nobody', ['name'], 'm'), 'No step has the id "nobody".'],
  [{ do: 'rename', id: 'load', to: 'two words' }, 'Templates read the output of "load"'],
  [{ do: 'reorder', nodes: ['load'], side: 'before', of: 'load' }, 'cannot be moved before itself'],
  [{ do: 'set-flow', path: ['policy', 'maxParallel'], value: 2 }, 'cannot have "policy.maxParallel"'],
  [{ do: 'set-flow', path: ['name'], value: undefined }, '"name" is required in a flow.'],
])('%j is refused', (change, message) => {
  const edit = editFlow(usual, change);
  expect(edit.ok ? edit.edits : edit.error).toMatchObject({
    code: 'edit.refused',
    message: expect.stringContaining(message),
  });
});
