import { describe, expect, test } from 'vitest';
import { applyEdits } from '../../../engine/isomorphic.ts';
import { nodeTypes } from '../../stores/flow/node-types.ts';
import { completeFlow, mayComplete } from './complete-flow.ts';
import { indexFlow } from './flow-index.ts';
import { flowKnowledge } from './flow-language.ts';
import type { CompletionSuggestion } from './suggestion.ts';

const knowledge = flowKnowledge(nodeTypes);

/** Returns the completions at the bar, and the text after accepting one. */
function complete(marked: string) {
  const offset = marked.indexOf('¦');
  const text = marked.replace('¦', '');
  const suggestions = completeFlow(indexFlow(text), offset, knowledge);
  const find = (label: string): CompletionSuggestion => suggestions.find((found) => found.label === label)!;
  return {
    labels: suggestions.map(({ label }) => label),
    find,
    taking: (label: string) => applyEdits(text, [{ ...find(label), text: find(label).insert }]),
  };
}

const flow = `flow:
  name: Site
  input: { site: a.example, depth: 2 }
nodes:
  - id: fetch
    type: http.request
    input: { url: "https://{{flow.input.site}}" }
  - id: each
    type: control.foreach
    input:
      items: "{{fetch.body}}"
      as: page
      body: [title]
  - id: title
    type: prompt
    input:
      prompt: "ONE"
  - id: save
    type: file.write
    input: { path: out.txt, content: "TWO" }
edges:
  - { from: fetch, to: each }
  - { from: each, to: save, when: { equals: { var: THREE, value: 1 } } }
`;

describe('keys', () => {
  test('of the file, except existing ones', () => {
    expect(complete('flow:\n  name: x\n¦').labels).toEqual(['nodes', 'edges', 'layout']);
  });

  test('of a node, required ones first', () => {
    const { labels, find } = complete('nodes:\n  - id: a\n    ¦');
    expect(labels.slice(0, 2)).toEqual(['type', 'input']);
    expect(labels).toContain('when');
    expect(labels).not.toContain('id');
    expect(find('type')).toMatchObject({ detail: 'required', insert: 'type: ' });
    expect(find('type').description).toContain('Type of the node');
  });

  test('of the input and the config match the type of the node', () => {
    const node = (rest: string) => complete(`nodes:\n  - id: a\n    type: prompt\n${rest}`);
    expect(node('    input:\n      ¦').labels).toEqual(['prompt', 'messages', 'system', 'attachments']);
    expect(node('    input:\n      ¦').find('prompt').description).toBe('Prompt for the model');
    expect(node('    input: { pr¦ }').labels).toEqual(['prompt', 'messages', 'system', 'attachments']);
    expect(node('    config:\n      ¦').labels).toContain('temperature');
    expect(complete('nodes:\n  - input:\n      ¦\n    type: echo').labels).toEqual(['text']);
  });

  test('of conditions', () => {
    expect(complete('nodes:\n  - id: a\n    when:\n      ¦').labels).toContain('equals');
    expect(complete('edges:\n  - when: { equals: { ¦ } }').labels).toEqual(['var', 'value']);
  });

  test('insert the beginning of their value in the right place', () => {
    expect(complete('nodes:\n  - id: a\n    in¦').taking('input')).toBe('nodes:\n  - id: a\n    input:\n  ');
    expect(complete('no¦').taking('nodes')).toBe('nodes:\n  - ');
    expect(complete('nodes:\n  - in¦').taking('input')).toBe('nodes:\n  - input:\n    ');
    expect(complete('nodes:\n  - { in¦').taking('input')).toBe('nodes:\n  - { input: ');
  });

  test('keep an existing colon', () => {
    expect(complete('nodes:\n  - id: a\n    ty¦: echo').taking('type')).toBe('nodes:\n  - id: a\n    type: echo');
  });
});

describe('values', () => {
  test('are the types of nodes, with descriptions', () => {
    const { labels, find, taking } = complete('nodes:\n  - id: a\n    type: pr¦');
    expect(labels).toContain('control.foreach');
    expect(find('prompt').detail).not.toBe('');
    expect(taking('prompt')).toBe('nodes:\n  - id: a\n    type: prompt');
  });

  test('are the allowed values of a setting', () => {
    expect(complete('flow:\n  policy:\n    failFast: ¦').labels).toEqual(['true', 'false']);
    expect(complete('nodes:\n  - type: http.request\n    input:\n      method: ¦').labels).toContain('POST');
  });
});

describe('names of nodes', () => {
  test('at the ends of edges, except the other end', () => {
    expect(complete(flow.replace('to: each', 'to: ¦')).labels).toEqual(['each', 'title', 'save']);
    expect(complete('nodes:\n  - id: a\n  - id: b\nedges:\n  - from: a\n    to: ¦').labels).toEqual(['b']);
  });

  test('in the body of a loop, except the loop and existing members', () => {
    expect(complete(flow.replace('body: [title]', 'body: [title, ¦]')).labels).toEqual(['fetch', 'save']);
    expect(complete(flow.replace('body: [title]', 'body:\n        - ¦')).labels).toEqual(['fetch', 'title', 'save']);
  });
});

describe('paths', () => {
  test('start with nodes that run before the node', () => {
    expect(complete(flow.replace('TWO', '{{¦')).labels).toEqual(['each', 'fetch', 'flow']);
    expect(complete(flow.replace('TWO', 'a {{ ?fe¦ }}')).taking('fetch')).toBe(flow.replace('TWO', 'a {{ ?fetch }}'));
  });

  test('in a loop can start with the item, and with nodes that run before the loop', () => {
    expect(complete(flow.replace('ONE', '{{¦')).labels).toEqual(['page', 'loop', 'fetch', 'flow']);
  });

  test('of a node without edges can start with any other node', () => {
    expect(complete('nodes:\n  - id: a\n  - id: b\n    input: { text: "{{¦" }').labels).toEqual(['a', 'flow']);
  });

  test('continue with the fields of the output', () => {
    const { labels, find } = complete(flow.replace('TWO', '{{fetch.¦}}'));
    expect(labels).toEqual(['status', 'headers', 'body']);
    expect(find('status').description).toContain('Status');
    expect(complete(flow.replace('TWO', '{{each.iterations.0.¦}}')).labels).toContain('outputs');
  });

  test('continue with the inputs of the flow', () => {
    expect(complete(flow.replace('TWO', '{{flow.¦')).labels).toEqual(['input']);
    expect(complete(flow.replace('TWO', '{{flow.input.si¦')).labels).toEqual(['site', 'depth']);
  });

  test('BB-09 continue with the declared inputs, and are completed in the outputs of the flow', () => {
    const declared = flow.replace(
      'nodes:',
      `  inputs:
    city: { type: string, description: Where }
    depth: { type: integer }
    page: { type: object, default: { title: x } }
  outputs:
    all: "{{OUT}}"
nodes:`,
    );
    const { labels, find } = complete(declared.replace('TWO', '{{flow.input.¦'));
    expect(labels).toEqual(['city', 'depth', 'page', 'site']);
    expect(find('city')).toMatchObject({ detail: 'text', description: 'Where' });
    expect(complete(declared.replace('{{OUT}}', '{{¦')).labels).toEqual(
      expect.arrayContaining(['fetch', 'each', 'flow']),
    );
    expect(complete(declared.replace('{{OUT}}', '{{fetch.¦')).labels).toEqual(['status', 'headers', 'body']);
    expect(complete(declared.replace('type: string,', '¦')).labels).toEqual(
      expect.arrayContaining(['type', 'enum', 'required']),
    );
  });

  test('in the condition of an edge start with nodes that run before it', () => {
    expect(complete(flow.replace('THREE', '¦')).labels).toEqual(['each', 'fetch', 'flow']);
    expect(complete(flow.replace('THREE', 'each.¦')).labels).toEqual(['iterations']);
  });

  test('are completed in multiline text', () => {
    const text = flow.replace('prompt: "ONE"', 'prompt: |\n        Say\n        {{fetch.b¦');
    expect(complete(text).labels).toContain('body');
  });

  test('are not completed after escaped braces', () => {
    expect(complete(flow.replace('TWO', '\\\\{{¦')).labels).toEqual([]);
  });
});

describe('settings with a different scope than the flow', () => {
  const loop = flow
    .replace(
      '  - id: fetch',
      '  - { id: people, type: constant, input: { value: [{ name: Ada, age: 3 }] } }\n  - id: fetch',
    )
    .replace('{{fetch.body}}', '{{people.value}}');
  const node = (rest: string): string => loop.replace('  - id: save', `  - { id: x, ${rest} }\n  - id: save`);

  test('the item of a loop has the fields of the value that is looped over', () => {
    expect(complete(loop.replace('ONE', '{{page.¦}}')).labels).toEqual(['name', 'age']);
    expect(complete(loop.replace('ONE', '{{¦}}')).find('page').detail).toBe('map');
    expect(complete(loop.replace('TWO', '{{each.iterations.0.item.¦}}')).labels).toEqual(['name', 'age']);
  });

  test('templates and conditions of lists can use the item, cases of a switch the value', () => {
    const list = 'input: { items: "{{people.value}}" }';
    expect(complete(node(`type: list.map, ${list}, config: { template: "{{¦}}" }`)).labels).toEqual(['item', 'loop']);
    expect(complete(node(`type: list.map, ${list}, config: { template: "{{item.¦}}" }`)).labels).toEqual([
      'name',
      'age',
    ]);
    const filter = `type: list.filter, ${list}, config: { when: { exists: item.¦ } }`;
    expect(complete(node(filter)).labels).toEqual(['name', 'age']);
    const cases = 'cases: [{ when: { equals: { var: value.¦, value: 1 } }, route: a }]';
    expect(complete(node(`type: control.switch, input: { value: "{{people.value.0}}", ${cases} }`)).labels).toEqual([
      'name',
      'age',
    ]);
  });

  test('BB-53 BB-56 conditions in the input of a node can use the flow, and that of a loop also its body', () => {
    const text = (more: string): string => `flow: { name: x }
nodes:
  - { id: ask, type: echo, input: { text: x } }
  - { id: one, type: echo, input: { text: x } }
${more}
edges:
  - { from: ask, to: x }
`;
    const asks = (what: string) => complete(text(`  - { id: x, type: control.if, input: { condition: ${what} } }`));
    expect(asks('{ exists: ¦ }').labels).toContain('ask');
    expect(asks('{ not: { equals: { var: ask.¦, value: 1 } } }').labels).toEqual(['text']);
    const until = (at: string) =>
      complete(text(`  - { id: x, type: control.loop, input: { body: [one], until: ${at} } }`));
    expect(until('{ exists: ¦ }').labels).toEqual(expect.arrayContaining(['ask', 'one', 'loop', 'previous']));
    expect(until('{ exists: previous.one.¦ }').labels).toEqual(['text']);
  });

  test('BB-06 the fields of a response are completed even if its schema is in a file', () => {
    const text = `flow: { name: x }
nodes:
  - { id: ask, type: prompt, config: { output: { schemaFile: answer.json } }, input: { prompt: hi } }
  - { id: say, type: echo, input: { text: "{{ask.value.¦}}" } }
edges: [{ from: ask, to: say }]`;
    const index = indexFlow(text.replace('¦', ''));
    const files = new Map([
      ['answer.json', { schema: { type: 'object', properties: { score: { type: 'integer' } } } }],
    ]);
    const all = (more: object) => completeFlow(index, text.indexOf('¦'), { ...knowledge, ...more });
    expect([all({ files }).map(({ label }) => label), all({})]).toEqual([['score'], []]);
  });

  test('a Handlebars template can use the input of its node', () => {
    const template = (tags: string): string =>
      loop.replace(
        '  - id: save',
        `  - id: x\n    type: template\n    input: { all: "{{people.value}}" }\n    config:\n      template: |\n        ${tags}\n  - id: save`,
      );
    expect(complete(template('{{¦')).labels).toEqual(['all']);
    expect(complete(template('{{#¦')).labels).toEqual(['#each all', '#if all']);
    expect(complete(template('{{#each all}}{{¦}}')).labels.slice(0, 3)).toEqual(['this', 'name', 'age']);
    expect(complete(template('{{#each ¦')).taking('all')).toContain('{{#each all\n');
    expect(complete(template('plain ¦')).labels).toEqual([]);
  });
});

describe('keys that need brackets', () => {
  const odd = flow.replace('site: a.example,', '"first name": Ada, site: a.example,');
  const at = (binding: string, quotes = '"'): string => odd.replace('"ONE"', `${quotes}${binding}${quotes}`);

  test.each([
    ['{{flow.input.¦}}', '"', `"{{flow.input['first name']}}"`],
    ['{{flow.input.fi¦}}', '"', `"{{flow.input['first name']}}"`],
    ["{{flow.input['fi¦']}}", '"', `"{{flow.input['first name']}}"`],
    ['{{flow.input[¦]}}', '"', `"{{flow.input['first name']}}"`],
    ['{{flow.input["fir¦"]}}', "'", `'{{flow.input["first name"]}}'`],
    ['{{flow.input.fi¦}}', "'", `'{{flow.input["first name"]}}'`],
  ])('%s between %s', (binding, quotes, expected) => {
    const { taking } = complete(at(binding, quotes));
    expect(taking('first name')).toContain(`prompt: ${expected}\n`);
  });

  test('in a condition', () => {
    const text = `${odd.split('edges:')[0]}  - { id: last, type: echo, input: {}, when: { exists: flow.input.¦ } }\n`;
    expect(complete(text).taking('first name')).toContain('exists: flow.input["first name"] }');
  });

  test('the path continues after brackets', () => {
    expect(complete(at("{{flow.input['first name'].¦}}")).labels).toEqual([]);
    expect(mayComplete(`    prompt: "{{ flow.input['first na`)).toBe(true);
  });
});

test('completes nothing in free text and comments', () => {
  expect(complete(flow.replace('ONE', 'any ¦ words')).labels).toEqual([]);
  expect(complete('nodes: # ¦').labels).toEqual([]);
});

describe('mayComplete', () => {
  test.each([
    '',
    '  ',
    '  - ',
    '    type: ',
    '    type: ec',
    '  - { from: a, to: ',
    '    body: [a, b',
    'x: "two words {{ fe',
  ])('returns true for %j', (before) => {
    expect(mayComplete(before)).toBe(true);
  });

  test.each(['      some words', '    prompt: Write a', '  - { text: "one, two three'])(
    'returns false for free text in %j',
    (before) => {
      expect(mayComplete(before)).toBe(false);
    },
  );
});

describe('BB-06 fields of a response', () => {
  const asking = `nodes:
  - id: ask
    type: prompt
    input: { prompt: hi }
    config:
      output:
        schema:
          type: object
          $defs: { person: { type: object, properties: { name: { type: string } } } }
          properties:
            label: { type: string, enum: [a, b] }
            people: { type: array, items: { $ref: "#/$defs/person" } }
  - id: use
    type: echo
    input: { text: "Who: HERE" }
edges:
  - { from: ask, to: use, when: { equals: { var: THERE, value: 1 } } }
`;

  // Between braces a bracket would start a list.
  test.each([
    ['HERE', 'ask.value.people[0]'],
    ['THERE', 'ask.value.people.0'],
  ])('BB-06 are completed at a path in the text, in lists and through references: %s', (place, person) => {
    const at = (path: string) => complete(asking.replace(place, place === 'HERE' ? `{{${path}¦}}` : `${path}¦`));
    expect(at('ask.value.').labels).toEqual(expect.arrayContaining(['label', 'people']));
    expect(at(`${person}.`).labels).toEqual(['name']);
    expect(at(`${person}.`).taking('name')).toContain(`${person}.name`);
  });
});

test('BB-50 the failure of a node is completed if the flow continues after it', () => {
  const text = (policy: string) => `flow:
  name: Site
nodes:
  - id: fetch
    type: http.request
    input: { url: "https://a.example" }
    ${policy}
  - id: note
    type: echo
    input: { text: "{{fetch.¦}}" }
edges:
  - { from: fetch, to: note }
`;
  const named = (policy: string) =>
    complete(text(policy)).labels.filter((label) => /failed|error|attempts/.test(label));
  expect(named('policy: { continueOnError: true }')).toEqual(['failed', 'error', 'attempts']);
  expect(named('policy: { timeoutMs: 5 }')).toEqual([]);
  const deeper = text('policy: { continueOnError: true }').replace('fetch.¦', 'fetch.error.¦');
  expect(complete(deeper).labels).toEqual(['code', 'message']);
});
