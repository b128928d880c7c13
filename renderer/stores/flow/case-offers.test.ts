import { describe, expect, test } from 'vitest';
import { type JsonMap, parseFlow } from '../../../engine/isomorphic.ts';
import { type CaseOffer, caseOffers } from './case-offers.ts';
import { nodeTypes } from './node-types.ts';

const label = '{ type: string, enum: [bug, wish] }';

interface Situation {
  /** The response schema of the model, in YAML. */
  readonly schema?: string;
  readonly value?: string;
  readonly cases?: string;
}

/** Returns the offers for a switch after a prompt. */
function offersFor({ schema, value = '{{ask.value}}', cases = '[]' }: Situation): readonly CaseOffer[] {
  const text = `flow: { name: F }
nodes:
  - { id: ask, type: prompt, input: { prompt: hi }, config: { model: a::b${schema === undefined ? '' : `, output: { schema: ${schema} }`} } }
  - { id: pick, type: control.switch, input: { value: "${value}", cases: ${cases} } }
edges: [{ from: ask, to: pick }]
`;
  const { doc } = parseFlow(text);
  const node = doc?.nodes.find(({ id }) => id === 'pick');
  if (!doc || node === undefined) throw new Error('The flow cannot be read.');
  return caseOffers(node, { doc, catalog: nodeTypes });
}

const object = (properties: string): string => `{ type: object, properties: { ${properties} }, required: [label] }`;
const caseOf = (value: string, path = 'value.label'): JsonMap => ({
  when: { equals: { var: path, value } },
  route: value,
});

describe('cases for the values that a model chooses from', () => {
  test('are offered all at once, with the field that they compare', () => {
    expect(offersFor({ schema: object(`label: ${label}, why: { type: string }`) })).toEqual([
      {
        path: 'value.label',
        values: ['bug', 'wish'],
        input: { value: '{{ask.value}}', cases: [caseOf('bug'), caseOf('wish')] },
      },
    ]);
  });

  test.each<[what: string, situation: Situation, paths: readonly string[]]>([
    [
      'each field with choices',
      { schema: object(`label: ${label}, tone: { enum: [warm, cold] }`) },
      ['value.label', 'value.tone'],
    ],
    ['the field that is looked at', { schema: object(`label: ${label}`), value: '{{ask.value.label}}' }, ['value']],
    ['an answer that is one of a list', { schema: label }, ['value']],
    [
      'a field in a field',
      { schema: object(`label: { type: object, properties: { kind: ${label} } }`) },
      ['value.label.kind'],
    ],
    ['a choice or nothing', { schema: object(`label: { anyOf: [${label}, { type: "null" }] }`) }, ['value.label']],
    [
      'what the node before gives, when the value has none',
      { schema: object(`label: ${label}`), value: '{{ask.text}}' },
      ['ask.value.label'],
    ],
    ['none without a schema', {}, []],
    ['none of a text without choices', { schema: object('label: { type: string }') }, []],
    ['none of numbers', { schema: object('label: { enum: [1, 2] }') }, []],
  ])('look at %s', (_, situation, paths) => {
    expect(offersFor(situation).map(({ path }) => path)).toEqual(paths);
  });

  test('are added after the existing ones, without values that already have a case', () => {
    const there = '[{ when: { equals: { var: value.label, value: bug } }, route: broken }]';
    expect(offersFor({ schema: object(`label: ${label}`), cases: there })[0]?.input['cases']).toEqual([
      { ...caseOf('bug'), route: 'broken' },
      caseOf('wish'),
    ]);
  });

  test('are not offered again if each value has one', () => {
    const all =
      '[{ when: { equals: { var: value.label, value: bug } }, route: a }, { when: { equals: { var: value.label, value: wish } }, route: b }]';
    expect(offersFor({ schema: object(`label: ${label}`), cases: all })).toEqual([]);
  });

  test('replace the initial case of a new node, which matches any value', () => {
    const begun = '[{ when: { exists: value }, route: "yes" }]';
    const [offer] = offersFor({ schema: object(`label: ${label}`), value: '{{ask.text}}', cases: begun });
    expect(offer?.input).toEqual({
      value: '{{ask.value.label}}',
      cases: [caseOf('bug', 'value'), caseOf('wish', 'value')],
    });
  });

  test('do not change a value if a user has written its cases', () => {
    const own = '[{ when: { contains: { var: value, value: urgent } }, route: fast }]';
    expect(offersFor({ schema: object(`label: ${label}`), value: '{{ask.text}}', cases: own })).toEqual([]);
  });
});
