import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../../base/text-edit.ts';
import { parseCatalogue } from '../parse-catalogue.ts';
import type { CatalogueChange } from './catalogue-change.ts';
import { editCatalogue, newFlowType } from './edit-catalogue.ts';

const desk = `# What people may ask the desk.
name: Support desk
intents:
  Read: {}   # looks only
  Change: { hooks: { check: { script: check.lua } } }

flows:
  # The one that is asked for most.
  - name: find_order
    intent: Read
    description: Finds an order.
    slots:
      number: { type: exact, priority: elective }   # two letters, a number
      customer: { type: exact, priority: elective }
    policy: { skill: skills/find-order }

  - name: refund
    intent: Change
    description: Pays money back.
    policy: { flow: refund.flow.yaml }
    fallback: find_order

  - name: tidy   # at night
    intent: Internal
    policy: { builtin: summary }
    dependsOn: [sweep]
  - name: sweep
    intent: Internal
    policy: { builtin: memory_cleanup }
`;

function changed(text: string, change: CatalogueChange): string {
  const edit = editCatalogue(text, change);
  if (!edit.ok) throw new Error(edit.error.message);
  return applyEdits(text, edit.edits);
}

/** Returns removed (-) and added (+) lines. */
function diff(change: CatalogueChange, text = desk): readonly string[] {
  const before = text.split('\n');
  const after = changed(text, change).split('\n');
  const gone = before.filter((line) => !after.includes(line));
  const come = after.filter((line) => !before.includes(line));
  return [...gone.map((line) => `-${line}`), ...come.map((line) => `+${line}`)];
}

function refusal(change: CatalogueChange, text = desk): string {
  const edit = editCatalogue(text, change);
  return edit.ok ? '' : edit.error.message;
}

describe('flows of a catalog', () => {
  test('a new flow is written like the others and is valid', () => {
    const change: CatalogueChange = { do: 'add-flow', flow: newFlowType('summarise', 'Read'), after: 'find_order' };
    const text = changed(desk, change);
    expect(diff(change)).toEqual([
      '+  - name: summarise',
      '+    description: What people mean by this intent.',
      '+    policy: { builtin: chat }',
    ]);
    const { doc, diagnostics } = parseCatalogue(text);
    expect(doc?.flows.map(({ name }) => name)).toEqual(['find_order', 'summarise', 'refund', 'tidy', 'sweep']);
    expect(diagnostics).toEqual([]);
    expect(text).toContain('# The one that is asked for most.\n  - name: find_order');
  });

  test('a new flow adds its new intent', () => {
    expect(diff({ do: 'add-flow', flow: newFlowType('pick', 'Prepare') })).toContain('+  Prepare: {}');
  });

  test('a flow is removed with references to it, and the comments of others are kept', () => {
    expect(diff({ do: 'remove-flow', flow: 'sweep' })).toEqual([
      '-    dependsOn: [sweep]',
      '-  - name: sweep',
      '-    policy: { builtin: memory_cleanup }',
    ]);
    expect(changed(desk, { do: 'remove-flow', flow: 'find_order' })).not.toContain('fallback');
  });

  test('a flow is renamed with all references', () => {
    expect(diff({ do: 'rename-flow', flow: 'find_order', to: 'look_up' })).toEqual([
      '-  - name: find_order',
      '-    fallback: find_order',
      '+  - name: look_up',
      '+    fallback: look_up',
    ]);
    expect(diff({ do: 'rename-flow', flow: 'sweep', to: 'clean' })).toEqual([
      '-    dependsOn: [sweep]',
      '-  - name: sweep',
      '+    dependsOn: [clean]',
      '+  - name: clean',
    ]);
  });

  test('a flow gets slots on one line each, and the comment of a changed slot is kept', () => {
    expect(
      diff({
        do: 'set-in-flow',
        flow: 'refund',
        path: ['slots', 'amount'],
        value: { type: 'level', priority: 'required' },
      }),
    ).toEqual(['+      amount: { type: level, priority: required }']);
    expect(
      diff({ do: 'set-in-flow', flow: 'find_order', path: ['slots', 'number', 'priority'], value: 'optional' }),
    ).toEqual([
      '-      number: { type: exact, priority: elective }   # two letters, a number',
      '+      number: { type: exact, priority: optional }   # two letters, a number',
    ]);
    expect(diff({ do: 'rename-slot', flow: 'find_order', slot: 'number', to: 'order' })).toEqual([
      '-      number: { type: exact, priority: elective }   # two letters, a number',
      '+      order: { type: exact, priority: elective }   # two letters, a number',
    ]);
  });

  test('a policy and an intent are replaced in place', () => {
    expect(diff({ do: 'set-in-flow', flow: 'refund', path: ['policy'], value: { agent: 'desk@refunds' } })).toEqual([
      '-    policy: { flow: refund.flow.yaml }',
      '+    policy: { agent: desk@refunds }',
    ]);
    expect(diff({ do: 'set-in-flow', flow: 'refund', path: ['intent'], value: 'Read' })).toEqual([
      '-    intent: Change',
    ]);
  });

  test('an intent is renamed in the flows that have it', () => {
    const text = changed(desk, { do: 'rename-intent', intent: 'Read', to: 'Look' });
    expect(text).toContain('  Look: {}   # looks only');
    expect(parseCatalogue(text).diagnostics).toEqual([]);
  });
});

describe('settings of slots, slot types, intents and plans', () => {
  const typed = desk
    .replace('intents:', 'slotTypes:\n  # As printed on the parcel.\n  order_id: { base: exact, x-kept: 1 }\nintents:')
    .replace('number: { type: exact,', 'number: { type: order_id,');

  test('a default and settings of a slot, and the output of a flow, are set in place', () => {
    const at = (...path: readonly string[]) => ({ do: 'set-in-flow', flow: 'find_order', path }) as const;
    expect(diff({ ...at('slots', 'customer', 'default'), value: 'nobody' })).toEqual([
      '-      customer: { type: exact, priority: elective }',
      '+      customer: { type: exact, priority: elective, default: nobody }',
    ]);
    expect(diff({ ...at('output'), value: { type: 'object' } })).toEqual(['+    output:', '+      type: object']);
    expect(diff({ do: 'set-in-flow', flow: 'sweep', path: ['dependsOn'], value: ['tidy'] })).toEqual([
      '+    dependsOn: [tidy]',
    ]);
  });

  test('a new type removes only settings that it does not have', () => {
    const text = desk.replace(
      '{ type: exact, priority: elective }   #',
      '{ type: level, threshold: 3, priority: elective, x-n: 1 }   #',
    );
    expect(
      diff({ do: 'set-in-flow', flow: 'find_order', path: ['slots', 'number', 'type'], value: 'exact' }, text),
    ).toEqual([
      '-      number: { type: level, threshold: 3, priority: elective, x-n: 1 }   # two letters, a number',
      '+      number: { type: exact, priority: elective, x-n: 1 }   # two letters, a number',
    ]);
  });

  test('a hook is added and removed, and its intent is kept', () => {
    expect(
      diff({ do: 'set-in-catalogue', path: ['intents', 'Read', 'hooks', 'start'], value: { agent: 'desk@greet' } }),
    ).toEqual(['-  Read: {}   # looks only', '+  Read: { hooks: { start: { agent: desk@greet } } }   # looks only']);
    expect(diff({ do: 'set-in-catalogue', path: ['intents', 'Change', 'hooks', 'check'], value: undefined })).toEqual([
      '-  Change: { hooks: { check: { script: check.lua } } }',
      '+  Change: {}',
    ]);
  });

  test('a custom slot type is added, renamed with its uses, and removed once it is unused', () => {
    expect(diff({ do: 'set-in-catalogue', path: ['slotTypes', 'code'], value: { base: 'exact' } })).toEqual([
      '+slotTypes:',
      '+  code: { base: exact }',
    ]);
    expect(diff({ do: 'rename-slot-type', slotType: 'order_id', to: 'order' }, typed)).toEqual([
      '-  order_id: { base: exact, x-kept: 1 }',
      '-      number: { type: order_id, priority: elective }   # two letters, a number',
      '+  order: { base: exact, x-kept: 1 }',
      '+      number: { type: order, priority: elective }   # two letters, a number',
    ]);
    expect(refusal({ do: 'rename-slot-type', slotType: 'order_id', to: 'level' }, typed)).toBe(
      'There is already a type "level". Choose another name.',
    );
    expect(refusal({ do: 'remove-slot-type', slotType: 'order_id' }, typed)).toBe(
      'order_id is the type of find_order.number. Change their type first.',
    );
    const unused = changed(typed, {
      do: 'set-in-flow',
      flow: 'find_order',
      path: ['slots', 'number', 'type'],
      value: 'exact',
    });
    expect(changed(unused, { do: 'remove-slot-type', slotType: 'order_id' })).toBe(desk);
  });

  test('an edit that would make the catalog invalid is refused with the reason', () => {
    const min = { do: 'set-in-flow', flow: 'find_order', path: ['slots', 'number', 'min'], value: 500 } as const;
    expect(refusal(min)).toBe('slots.number.min of flow "find_order" must be at most 100.');
    // An invalid text can be edited step by step.
    expect(refusal(min, desk.replace('intent: Change', 'intentt: Change'))).toBe('');
  });
});

describe('impossible edits of a catalog', () => {
  test('are refused with an alternative, and change nothing', () => {
    expect(refusal({ do: 'rename-flow', flow: 'refund', to: 'find_order' })).toBe(
      'There is already a flow "find_order". Choose another name.',
    );
    expect(refusal({ do: 'rename-flow', flow: 'refund', to: '2nd' })).toContain('"2nd" is not a valid name for a flow');
    expect(refusal({ do: 'rename-flow', flow: 'gone', to: 'x' })).toBe('No flow is named "gone".');
    expect(refusal({ do: 'rename-intent', intent: 'Plan', to: 'Scheme' })).toBe(
      'Plan is part of every catalog and cannot be renamed.',
    );
    expect(refusal({ do: 'remove-flow', flow: 'a' }, 'intents: {}\nflows: [{ name: a, intent: Plan }]\n')).toBe(
      'A catalog needs at least one flow. Add another one first.',
    );
    expect(refusal({ do: 'remove-flow', flow: 'a' }, 'flows: [')).toContain('not valid YAML');
    expect(refusal({ do: 'remove-flow', flow: 'a' }, '- a\n')).toContain('The file is not a catalog');
    expect(refusal({ do: 'remove-flow', flow: 'a' }, 'flows: 3\n')).toContain('"flows" is not a list');
  });

  test('a 65th flow is refused', () => {
    const flows = Array.from(
      { length: 64 },
      (_, index) => `  - { name: f${index}, intent: Converse, policy: { builtin: chat } }`,
    );
    const text = `intents: {}\nflows:\n${flows.join('\n')}\n`;
    expect(refusal({ do: 'add-flow', flow: newFlowType('more', 'Converse') }, text)).toBe(
      'A catalog can have at most 64 flows.',
    );
    expect(diff({ do: 'rename-flow', flow: 'f63', to: 'last' }, text)).toEqual([
      '-  - { name: f63, intent: Converse, policy: { builtin: chat } }',
      '+  - { name: last, intent: Converse, policy: { builtin: chat } }',
    ]);
  });
});

test('a JSON catalog with a byte order mark stays JSON', () => {
  const json = `\uFEFF{\n  "intents": {},\n  "flows": [\n    { "name": "talk", "intent": "Converse", "policy": { "builtin": "chat" } }\n  ]\n}\n`;
  const text = changed(json, { do: 'set-in-flow', flow: 'talk', path: ['description'], value: 'Talks.' });
  expect(JSON.parse(text.slice(1)).flows[0]).toEqual({
    name: 'talk',
    intent: 'Converse',
    description: 'Talks.',
    policy: { builtin: 'chat' },
  });
});
