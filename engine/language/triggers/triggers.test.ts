import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../base/text-edit.ts';
import { specCatalog } from '../../testing/flow-problems.ts';
import { diffFlows, takeDifferences } from '../edit/diff/diff-flows.ts';
import { editFlow } from '../edit/edit-flow.ts';
import type { FlowChange } from '../edit/flow-change.ts';
import { checkFlow } from '../flow/check-flow.ts';
import { parseFlow } from '../flow/parse-flow.ts';
import { flowJsonSchema } from '../schema/json-schemas.ts';
import { valueAt } from '../schema/schema-problems.ts';
import type { TriggerDoc } from './trigger-doc.ts';
import { parseWorkspaceTriggers } from './workspace-triggers.ts';

const whole = `# Collects news.
flow:
  name: News
  inputs:
    since: { type: string, required: true }
    most: { type: integer }
  triggers:
    # On workdays, before everybody starts.
    - id: weekdays
      schedule: { cron: "30 7 * * 1-5", timezone: Europe/Berlin } # half past seven
      inputs: { since: "{{event.previousAt}}" }
      overlap: { parallel: 3 }
      missed: all
      limit: 60
      budget: { usd: 0.10 }
      priority: 2
    - id: new_mail
      files: { glob: "inbox/*.eml", on: [created], debounce: 2s, batch: true }
      inputs: { since: "{{event.files}} files" }
    - id: shop_event
      webhook:
        path: shop/event
        signature: { style: stripe, secret: "{{secret.SHOP}}" }
    - id: after_import
      after: { flow: nightly-import.flow.yaml, status: [completed, failed] }
      inputs: { since: "{{event.runId}}" }
nodes: []
edges: []
`;

/** A flow with one trigger. */
function flowWith(trigger: string, inputs = ''): string {
  return `flow:
  name: T
  inputs: {${inputs}}
  triggers:
    - ${trigger}
nodes: []
edges: []
`;
}

function messagesOf(text: string): readonly string[] {
  return checkFlow(text, specCatalog).diagnostics.map(
    ({ range, severity, code, message }) => `${range.line}:${range.column} ${severity} ${code} ${message}`,
  );
}

test('a flow with each kind of trigger has no problems', () => {
  expect(messagesOf(whole)).toEqual([]);
  expect(parseFlow(whole).doc?.flow.triggers?.map(({ id }) => id)).toEqual([
    'weekdays',
    'new_mail',
    'shop_event',
    'after_import',
  ]);
});

describe('problems of triggers are at their positions', () => {
  test.each<[string, string, string]>([
    [
      'an unknown key',
      '{ id: a, schedule: { every: 1h }, overlaps: skip }',
      '5:41 error flow.unknown-key Unknown key "overlaps". Did you mean "overlap"?',
    ],
    ['no kind', '{ id: a }', '5:7 error trigger.invalid A trigger needs one of schedule, files, webhook, after.'],
    [
      'two kinds',
      '{ id: a, schedule: { every: 1h }, after: { flow: x } }',
      '5:41 error trigger.invalid A trigger has only one of schedule, files, webhook, after: put after into a separate trigger.',
    ],
    [
      'a bad cron',
      '{ id: a, schedule: { cron: "61 7 * * *" } }',
      '5:35 error trigger.invalid The minute must be 0 to 59, not "61".',
    ],
    [
      'a day that never comes',
      '{ id: a, schedule: { cron: "0 7 30 2 *" } }',
      '5:39 error trigger.invalid This is never due: month 2 has no such day.',
    ],
    [
      'an unknown time zone',
      '{ id: a, schedule: { cron: "0 7 * * *", timezone: Europe/Berln } }',
      '5:57 error trigger.invalid There is no time zone "Europe/Berln". Use a name such as Europe/Berlin, America/New_York or UTC.',
    ],
    [
      'a bad interval',
      '{ id: a, schedule: { every: 15 minutes } }',
      '5:35 error flow.bad-value "every" must be a whole number with s, m, h or d, such as 15m, not "15 minutes".',
    ],
    [
      'a bad id',
      '{ id: a-b, schedule: { every: 1h } }',
      '5:13 error flow.bad-value "id" must start with a letter or _ and contain only ASCII letters, digits and _.',
    ],
    [
      'a pattern outside',
      '{ id: a, files: { glob: "../x/*" } }',
      '5:31 error trigger.invalid The pattern must be relative to the workspace and stay in it.',
    ],
    [
      'an odd address',
      '{ id: a, webhook: { path: "a/../b", secret: "{{secret.A}}" } }',
      '5:33 error flow.bad-value "path" may contain only letters, digits, -, _ and ., in parts separated by /.',
    ],
    [
      'no protection',
      '{ id: a, webhook: { path: a } }',
      '5:25 warning trigger.unprotected Anyone who can reach the address can start this flow. Add a signature or a secret.',
    ],
    [
      'a secret in the file',
      '{ id: a, webhook: { path: a, secret: hunter2 } }',
      '5:44 error trigger.invalid Must be the name of a secret, such as {{secret.SHOP}}. Never write the secret itself here.',
    ],
    [
      'an answer without a node for it',
      '{ id: a, webhook: { path: a, secret: "{{secret.A}}", answer: respond } }',
      '5:68 error trigger.invalid The flow has no node of type respond, so the caller gets no answer.',
    ],
    [
      'an empty budget',
      '{ id: a, schedule: { every: 1h }, budget: {} }',
      '5:49 error flow.bad-value "budget" needs at least one of usd, tokens and seconds.',
    ],
    [
      'an unknown input',
      '{ id: a, schedule: { every: 1h }, inputs: { b: 1 } }',
      '5:54 error flow.bad-inputs The flow has no input "b". It has none.',
    ],
  ])('%s', (_name, trigger, problem) => {
    expect(messagesOf(flowWith(trigger)).join('\n')).toBe(problem);
  });

  test.each<[string, string, string, string]>([
    [
      'a missing input',
      '{ id: a, schedule: { every: 1h } }',
      'b: { type: string, required: true }',
      '5:7 error flow.bad-inputs The input "b" is missing.',
    ],
    [
      'a value of another type',
      '{ id: a, schedule: { every: 1h }, inputs: { b: x } }',
      'b: { type: number }',
      '5:54 error flow.bad-inputs The input "b" must be a number, not "x".',
    ],
    [
      'a time as a number',
      '{ id: a, schedule: { every: 1h }, inputs: { b: "{{event.dueAt}}" } }',
      'b: { type: number }',
      '5:54 error flow.bad-inputs The input "b" must be a number, not "{{event.dueAt}}".',
    ],
    [
      'another field',
      '{ id: a, schedule: { every: 1h }, inputs: { b: "{{event.dueAtt}}" } }',
      'b: { type: string }',
      '5:55 error binding.unknown-root The event of this trigger has no "dueAtt". Did you mean "dueAt"?',
    ],
    [
      'a node',
      '{ id: a, schedule: { every: 1h }, inputs: { b: "{{node.x}}" } }',
      'b: { type: string }',
      '5:55 error binding.unknown-root The inputs of a trigger can read only "event", because no node has run yet.',
    ],
    [
      'a secret',
      '{ id: a, schedule: { every: 1h }, inputs: { b: "{{secret.X}}" } }',
      'b: { type: string }',
      '5:55 error secret.misplaced A trigger cannot pass a secret as an input. Use the secret in the node that needs it.',
    ],
  ])('%s', (_name, trigger, inputs, problem) => {
    expect(messagesOf(flowWith(trigger, inputs))).toEqual([problem]);
  });

  test('values of any type are accepted where only the event knows them', () => {
    const trigger = '{ id: a, webhook: { path: a, secret: "{{secret.A}}" }, inputs: { b: "{{event.body.n}}" } }';
    expect(messagesOf(flowWith(trigger, 'b: { type: number }'))).toEqual([]);
  });

  test('a second trigger with the same id', () => {
    const text = flowWith('{ id: a, schedule: { every: 1h } }\n    - { id: a, schedule: { every: 2h } }');
    expect(messagesOf(text)).toEqual([
      '6:13 error trigger.invalid Another trigger already has the id "a". Rename one.',
    ]);
  });
});

function edited(text: string, change: FlowChange): string {
  const edit = editFlow(text, change);
  if (!edit.ok) throw new Error(edit.error.message);
  return applyEdits(text, edit.edits);
}

describe('edits of triggers', () => {
  test('change only the bytes of their value', () => {
    const change = { do: 'set-trigger', id: 'weekdays', path: ['schedule', 'cron'], value: '0 8 * * 1-5' } as const;
    expect(edited(whole, change)).toBe(whole.replace('30 7 * * 1-5', '0 8 * * 1-5'));
    const removed = { do: 'set-trigger', id: 'weekdays', path: ['limit'], value: undefined } as const;
    expect(edited(whole, removed)).toBe(whole.replace('      limit: 60\n', ''));
  });

  test('add the first one and remove the last one', () => {
    const bare = 'flow:\n  name: T # keep\nnodes: []\nedges: []\n';
    const value = { id: 'hourly', schedule: { every: '1h' } };
    const added = edited(bare, { do: 'set-trigger', id: 'hourly', path: [], value });
    expect(parseFlow(added).doc?.flow.triggers).toEqual([value]);
    expect(edited(added, { do: 'set-trigger', id: 'hourly', path: [], value: undefined })).toBe(bare);
  });

  test('remove one of several with its comments, and leave the others', () => {
    const rest = edited(whole, { do: 'set-trigger', id: 'new_mail', path: [], value: undefined });
    expect(rest).toBe(whole.replace(/ {4}- id: new_mail[\s\S]*? {4}- id: shop/, '    - id: shop'));
  });

  test('rename an input in its triggers', () => {
    const renamed = edited(whole, { do: 'rename-input', name: 'since', to: 'from' });
    expect(renamed).toBe(whole.replaceAll('since:', 'from:'));
  });

  test.each<[FlowChange, string]>([
    [{ do: 'set-trigger', id: 'none', path: ['limit'], value: 1 }, 'No trigger has the id "none".'],
    [
      { do: 'set-trigger', id: 'weekdays', path: ['id'], value: 'new_mail' },
      'Another trigger already has the id "new_mail".',
    ],
  ])('reject %j', (change, message) => {
    expect(editFlow(whole, change)).toMatchObject({ ok: false, error: { message: expect.stringContaining(message) } });
  });
});

test('each trigger is a separate difference, and is taken with its bytes', () => {
  const after = whole
    .replace('30 7 * * 1-5', '0 8 * * 1-5')
    .replace(
      / {4}- id: after_import[\s\S]*?(?=nodes:)/,
      '    - id: hourly\n      schedule: { every: 1h }\n      inputs: { since: x }\n',
    );
  const { differences } = diffFlows({ before: whole, after });
  expect(differences.map(({ line, text }) => [line, text])).toEqual([
    [9, 'Changes the trigger weekdays'],
    [24, 'Adds the trigger hourly'],
    [24, 'Removes the trigger after_import'],
  ]);
  const taken = takeDifferences({ before: whole, after }, [differences[0]?.key ?? '']);
  expect(applyEdits(whole, [...taken])).toBe(whole.replace('30 7 * * 1-5', '0 8 * * 1-5'));
  const all = takeDifferences(
    { before: whole, after },
    differences.map(({ key }) => key),
  );
  expect(parseFlow(applyEdits(whole, [...all])).doc).toEqual(parseFlow(after).doc);
});

test('the JSON Schema of flows describes triggers', () => {
  const schema = flowJsonSchema({
    list: () => [],
    get: () => undefined,
    packs: () => [],
    allowsLongLived: () => false,
  });
  const trigger = valueAt(schema, ['properties', 'flow', 'properties', 'triggers', 'items']);
  expect(trigger).toMatchObject({
    oneOf: [{ required: ['schedule'] }, { required: ['files'] }, { required: ['webhook'] }, { required: ['after'] }],
    properties: { missed: { enum: ['once', 'all', 'skip'] satisfies TriggerDoc['missed'][] } },
  });
});

describe('triggers.yaml', () => {
  const header = { inputs: { since: { type: 'string' } } } as const;
  const known = { path: 'shop.flow.yaml', header, nodeTypes: new Set<string>() };
  const read = (text: string) =>
    parseWorkspaceTriggers(text, (name) => (['shop', 'shop.flow.yaml'].includes(name) ? known : undefined));

  test('has triggers of flows by their path', () => {
    const { triggers, diagnostics } = read(
      '# Shop\n- flow: shop.flow.yaml\n  id: hourly\n  schedule: { every: 1h }\n  inputs: { since: "{{event.dueAt}}" }\n',
    );
    expect(diagnostics).toEqual([]);
    expect(triggers).toMatchObject([{ flow: 'shop.flow.yaml', id: 'hourly', schedule: { every: '1h' } }]);
    expect(read('# nothing yet\n')).toEqual({ triggers: [], diagnostics: [] });
  });

  test.each([
    ['no flow', '- { id: a, schedule: { every: 1h } }\n', '1:3 The key "flow" is missing.'],
    [
      'another flow',
      '- { flow: x.yaml, id: a, schedule: { every: 1h } }\n',
      '1:11 There is no flow "x.yaml" in the workspace, or it has problems.',
    ],
    [
      'an unknown key',
      '- { flow: shop.flow.yaml, id: a, schedule: { every: 1h }, mised: all }\n',
      '1:59 Unknown key "mised". Did you mean "missed"?',
    ],
    [
      'a bad cron',
      '- { flow: shop.flow.yaml, id: a, schedule: { cron: "0 25 * * *" } }\n',
      '1:55 The hour must be 0 to 23, not "25".',
    ],
    [
      'a taken id',
      '- { flow: shop.flow.yaml, id: a, schedule: { every: 1h } }\n- { flow: shop.flow.yaml, id: a, schedule: { every: 1h } }\n',
      '2:31 Another trigger already has the id "a". Rename one.',
    ],
  ])('%s is a problem at its position, and the others remain', (name, text, problem) => {
    const { triggers, diagnostics } = read(`${text}- { flow: shop, id: good, schedule: { every: 1h } }\n`);
    expect(triggers.map(({ flow: path, id }) => `${path} ${id}`)).toEqual([
      ...(name === 'a taken id' ? ['shop.flow.yaml a'] : []),
      'shop.flow.yaml good',
    ]);
    expect(diagnostics.map(({ range, message }) => `${range.line}:${range.column} ${message}`)[0]).toContain(problem);
  });

  test('that is not a list has no triggers', () => {
    const [map, broken] = [read('shop: {}\n'), read('- { flow: [\n')];
    expect([map.triggers, broken.triggers]).toEqual([[], []]);
    expect(map.diagnostics[0]?.message).toContain('The file must be a list of triggers, each with its flow: - {');
    expect(broken.diagnostics[0]?.range.line).toBe(2);
  });
});
