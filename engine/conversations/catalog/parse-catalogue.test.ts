import { describe, expect, test } from 'vitest';
import { renderDiagnostic } from '../../language/findings/diagnostic.ts';
import { catalogueOf, desk, deskText } from '../session/testing/test-session.ts';
import { catalogueJsonSchema } from './catalogue-doc.ts';
import { parseCatalogue } from './parse-catalogue.ts';

const good = `intents: { Read: {} }
flows:
  - name: find_invoice
    intent: Read
    description: Finds an invoice.
    slots:
      source: { type: source, priority: required, min: 1 }
      period: { type: range, priority: elective }
      number: { type: exact, priority: elective }
    tools: [invoice_search]
    policy: { skill: find_invoice }
    fallback: browse
  - { name: browse, intent: Read, examples: [show all], policy: { flow: browse.flow.yaml } }
  - { name: quarter, intent: Plan, description: Closes it., policy: { builtin: plan }, lats: { candidates: 3, when: auto } }
`;

const problemsOf = (text: string): readonly string[] =>
  parseCatalogue(text).diagnostics.map((diagnostic) => renderDiagnostic('c', diagnostic));

const internals = `intents: {}
flows:
  - { name: one, intent: Internal, policy: { skill: s }, dependsOn: [two] }
  - { name: two, intent: Internal, policy: { skill: s }, dependsOn: [three] }
  - { name: three, intent: Internal, policy: { skill: s }, dependsOn: [one] }
`;

describe('a catalog', () => {
  test('gets defaults for everything it omits', () => {
    expect(problemsOf(good)).toEqual([]);
    const catalogue = catalogueOf(good);
    expect(catalogue).toMatchObject({
      ...{ name: '', nlu: { model: undefined }, model: undefined },
      thresholds: { confidence: 0.64, escalationTurns: 3, keepGoing: 20, recoveryAttempts: 2 },
    });
    expect([...catalogue.intents.keys()]).toEqual(['Plan', 'Converse', 'Internal', 'Read']);
    expect(catalogue.flows.get('find_invoice')).toMatchObject({
      ...{ tools: ['invoice_search'], policy: { skill: 'find_invoice' }, fallback: 'browse', every: undefined },
    });
    expect(catalogue.flows.get('quarter')?.lats).toEqual({ candidates: 3, when: 'auto' });
    expect(catalogue.flows.get('browse')?.lats).toEqual({ candidates: 3, when: 'auto' });
  });

  test('can have custom slot types, which refine one of the sixteen built-in ones', () => {
    const number = desk.flows.get('find')?.slots.get('number');
    expect(number).toEqual({
      ...{ name: 'number', typeName: 'order_id', type: 'exact', params: {}, priority: 'elective' },
      ...{ description: 'Like AB-12.', question: '', fallbackValue: undefined },
    });
    const own = catalogueOf(`${good.replace('exact', 'many')}slotTypes: { many: { base: group, min: 3 } }`);
    expect(own.flows.get('find_invoice')?.slots.get('number')).toMatchObject({ type: 'group', params: { min: 3 } });
  });

  test('can have notes for other programs, and its own settings', () => {
    const more = `x-owner: me\nnlu: { script: says.nlu.yaml }\nmodel: scripted::m.yaml\nthresholds: { confidence: 0.8 }\nversion: 1\n`;
    const catalogue = catalogueOf(more + good.replace('type: range', 'x-note: 1, type: range'));
    expect(catalogue).toMatchObject({ nlu: { script: 'says.nlu.yaml' }, model: 'scripted::m.yaml' });
    expect(catalogue.thresholds).toMatchObject({ confidence: 0.8, keepGoing: 20 });
  });

  test.each([
    ['', 'c:1:1 error yaml.empty The file is empty. A catalog needs the keys intents and flows.'],
    ['- a', 'c:1:1 error dialogue.not-a-map A catalog must be a map with the keys intents and flows.'],
    ['a: [', 'c:1:5 error yaml.syntax'],
    ['flows: []', 'c:1:1 error dialogue.missing-key intents is missing. Write intents: { Read: {} }, with a name'],
    ['flows: []', 'c:1:8 error dialogue.bad-value flows must have at least 1 entries.'],
    [
      `version: 2\n${good}`,
      'c:1:10 error dialogue.newer-version The file was written for a newer version of Millrace. Update Millrace.',
    ],
    [`version: x\n${good}`, 'c:1:10 error dialogue.bad-value version must be 1.'],
    [
      good.replace('intent: Read\n', 'intent: Raed\n'),
      'c:4:13 error dialogue.unknown-name Intent "Raed" does not exist. Add it under intents. Did you mean "Read"?',
    ],
    [
      good.replace('fallback: browse', 'fallback: brwse'),
      'c:12:15 error dialogue.unknown-name The fallback flow "brwse" does not exist. Did you mean "browse"?',
    ],
    [good.replace('fallback: browse', 'fallback: find_invoice'), 'Flow "find_invoice" cannot be its own fallback.'],
    [
      good
        .replace('fallback: browse', 'fallback: tidy')
        .concat('  - { name: tidy, intent: Internal, policy: { skill: s } }'),
      'Internal flows run in the background and cannot have or be a fallback.',
    ],
    [
      good.replace('{ skill: find_invoice }', '{ skill: x, fallback: browse }'),
      'c:11:25 error dialogue.unknown-key The key "fallback" is not allowed here. Write it next to policy, not in it.',
    ],
    [
      good.replace('skill: find_invoice', 'skil: x'),
      'policy of flow "find_invoice" does not match any of the allowed forms. Use one of the keys skill, agent, flow and builtin.',
    ],
    [
      good.replace('    policy: { skill: find_invoice }\n', ''),
      'policy of flow "find_invoice" is missing. Write policy: { flow: FILE }',
    ],
    [good.replace('type: range', 'type: rnge'), 'c:8:23 error dialogue.unknown-name Type "rnge" does not exist.'],
    [good.replace('type: range', 'type: rnge'), 'Did you mean "range"?'],
    [
      good.replace('range, priority', 'range, min: 2, priority'),
      'c:8:30 error dialogue.bad-value min has no effect for slots of type range. Its settings are: none.',
    ],
    [
      good.replace('period: { type: range, priority: elective }', 'period: { type: range, priority: optional }'),
      'number is the only elective slot of "find_invoice"',
    ],
    [
      good.replace('priority: required', 'priority: needed'),
      'slots.source.priority of flow "find_invoice" must be "required" or "elective" or "optional"',
    ],
    [good.replace('type: range', 'type: category'), 'A slot of type category needs 2 to 8 options'],
    [good.replace('type: range', 'type: proposal, options: [a]'), 'A single option is not a choice'],
    [
      good
        .replace('type: range, priority: elective', 'type: level, priority: optional, default: many')
        .replace('exact, priority: elective', 'exact, priority: optional'),
      'default must be a number, not "many".',
    ],
    [good.replace('min: 1', 'min: 1, default: x'), 'Only optional slots have a default'],
    [
      good.replace('min: 1 }', 'min: 2, default: x }').replace('required', 'optional'),
      'default does not fill the slot.',
    ],
    [
      good.replace('[invoice_search]', '[a, b, c, d]'),
      'tools of flow "find_invoice" must have at most 3 entries. Remove the key if the flow needs no tools.',
    ],
    [good.replace('[invoice_search]', '[]'), 'tools of flow "find_invoice" must have at least 1 entries.'],
    [
      good.replace('name: browse', 'name: find_invoice'),
      'c:13:13 error dialogue.bad-value Another flow is already named "find_invoice".',
    ],
    [good.replace('name: browse', 'name: 2nd'), 'name of flow "2nd" must have only letters, digits and _'],
    [
      good.replace('fallback:', 'lats: { candidates: 2 }\n    fallback:'),
      'lats is only for flows of the intent Plan. Remove it.',
    ],
    [
      good.replace('fallback:', 'every: 2\n    fallback:'),
      'every is only for flows of the intent Internal. Remove it.',
    ],
    [good.replace('candidates: 3', 'candidates: 4'), 'lats.candidates of flow "quarter" must be at most 3.'],
    [
      good.replace(', description: Closes it.', ''),
      'c:14:13 warning dialogue.undescribed Flow "quarter" has neither a description nor examples',
    ],
    [good.replace('examples:', 'output: { type: strng }, examples:'), 'output: '],
    [
      internals,
      'c:3:69 error dialogue.bad-value These flows wait for each other in a cycle: one → two → three → one. Remove one dependsOn.',
    ],
    [
      internals.replace('[three]', '[thre]'),
      'Flow "thre" does not exist, so it cannot be waited for. Did you mean "three"?',
    ],
    [
      `${good}  - { name: tidy, intent: Internal, policy: { skill: s }, dependsOn: [browse] }`,
      '"browse" is not an Internal flow.',
    ],
    [`${good}slotTypes: { exact: { base: group } }`, 'exact is a built-in type.'],
    [`${good}slotTypes: { own: { base: grup } }`, 'Type "grup" does not exist. Did you mean "group"?'],
    [`${good}slotTypes: { own: { base: exact, min: 2 } }`, 'min has no effect for slots of type exact'],
    [
      `${good}intnets: {}`,
      'c:15:1 error dialogue.unknown-key The key "intnets" is not allowed here. Did you mean "intents"?',
    ],
    [good.replace('Read: {}', 'Read: { hooks: { prepar: { script: x } } }'), 'Did you mean "prepare"?'],
    [`# ${'x'.repeat(1024 * 1024)}\n${good}`, 'c:1:1 error file.too-large'],
  ])('%# reports the problem, its position and a fix', (text, words) => {
    const found = problemsOf(text).filter((line) => line.includes(words));
    expect(found, problemsOf(text).join('\n')).toHaveLength(1);
    if (found[0]?.includes(' error ')) expect(parseCatalogue(text).catalogue).toBeNull();
  });

  test('reports all its problems at once, in text order', () => {
    const text = good
      .replace('type: source', 'type: sauce')
      .replace('browse\n', 'brwse\n')
      .replace('candidates: 3', 'candidates: 9');
    expect(problemsOf(text).map((line) => line.split(' ')[0])).toEqual(['c:7:23', 'c:12:15', 'c:14:108']);
  });

  test('with 64 flows is read with the built-in housekeeping, and a huge one is rejected immediately', () => {
    const flow = (index: number) =>
      good.slice(good.indexOf('  - name'), good.indexOf('  - { name: browse')).replace('find_invoice', `f${index}`);
    const text = (count: number) =>
      `intents: { Read: {} }\nflows:\n${Array.from({ length: count }, (_, index) => flow(index).replace('fallback: browse', '')).join('')}`;
    const { catalogue } = parseCatalogue(text(64));
    expect(catalogue?.flows.size).toBe(67);
    const codes = parseCatalogue(text(2000)).diagnostics.map(({ code }) => code);
    expect(codes).toEqual(['dialogue.too-many-flows']);
  });

  test('has a JSON Schema for editors', () => {
    const schema = catalogueJsonSchema();
    expect(schema).toMatchObject({ title: 'Conversation catalog', required: ['intents', 'flows'] });
    expect(JSON.stringify(schema)).toContain('memory_cleanup');
    expect(deskText).toContain('Desk');
  });
});
