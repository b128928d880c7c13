import { describe, expect, test } from 'vitest';
import { parseProblems } from '../../testing/flow-problems.ts';
import { parseFlow } from './parse-flow.ts';

const header = 'flow: { name: test }\n';
const minimal = `${header}nodes: []\nedges: []\n`;

describe('a file that is not a flow', () => {
  test.each([
    ['FE-01 text that is not YAML', 'flow: {name: x\nnodes: []\n', '2:1 error yaml.syntax'],
    ['an unclosed quote', 'flow: "x', '1:9 error yaml.syntax'],
    ['a tab as indentation', 'flow:\n\tname: x\n', '2:1 error yaml.syntax'],
    ['two documents', `${minimal}---\n${minimal}`, '4:1 error yaml.syntax'],
    ['an empty file', '', '1:1 error yaml.empty'],
    ['blanks', ' \n\n  ', '1:1 error yaml.empty'],
    ['only comments', '# one\n# two\n', '1:1 error yaml.empty'],
    ['a byte order mark only', '\uFEFF', '1:1 error yaml.empty'],
    ['a list', '- flow\n', '1:1 error flow.not-a-map'],
    ['plain words', 'Dear reader\n', '1:1 error flow.not-a-map'],
    ['null', '~\n', '1:1 error flow.not-a-map'],
    ['a zero byte', 'flow:\n  name: a\0b\n', '2:10 error file.not-text'],
    ['bytes that were no UTF-8', '\uFFFDPNG\uFFFD\uFFFD', '1:1 error file.not-text'],
  ])('rejects %s with a position', (_, text, problem) => {
    expect(parseProblems(text)).toEqual([problem]);
    expect(parseFlow(text).doc).toBeNull();
  });
});

describe('a valid file', () => {
  test('FE-07 accepts edges: [], and rejects a file without edges at 1:1', () => {
    expect(parseProblems(minimal)).toEqual([]);
    expect(parseProblems(`# first\n${header}nodes: []\n`)).toEqual(['1:1 error flow.missing-key']);
    expect(parseFlow(`${header}nodes: []\n`).diagnostics[0]?.message).toContain('edges: []');
  });

  test('results in the document', () => {
    const text = `
flow:
  name: all
  version: 1
  description: everything
  input: { site: x, x-kept: [1, null] }
  policy: { failFast: false, maxParallel: 1 }
nodes:
  - id: a
    type: echo
    name: First
    description: note
    disabled: true
    input: { text: "{{flow.input.site}}" }
    config: { x-kept: 1 }
    when: { and: [{ equals: { var: flow.input.site, value: { x-kept: 1 } } }, { not: { or: [] } }] }
    policy: { timeoutMs: 0, continueOnError: true, retry: { maxAttempts: 2, backoffMs: 100 } }
edges: [{ from: a, to: a, id: e }]
layout: { nodes: { a: { x: 1, y: -2.5, folded: true } }, zoom: 2 }
`;
    const { doc, diagnostics } = parseFlow(text);
    expect(diagnostics).toEqual([]);
    expect(doc).toEqual({
      flow: {
        name: 'all',
        version: 1,
        description: 'everything',
        input: { site: 'x', 'x-kept': [1, null] },
        policy: { failFast: false, maxParallel: 1 },
      },
      nodes: [
        {
          id: 'a',
          type: 'echo',
          name: 'First',
          description: 'note',
          disabled: true,
          input: { text: '{{flow.input.site}}' },
          config: { 'x-kept': 1 },
          when: {
            and: [{ equals: { var: 'flow.input.site', value: { 'x-kept': 1 } } }, { not: { or: [] } }],
          },
          policy: { timeoutMs: 0, continueOnError: true, retry: { maxAttempts: 2, backoffMs: 100 } },
        },
      ],
      edges: [{ from: 'a', to: 'a', id: 'e' }],
      layout: { nodes: { a: { x: 1, y: -2.5, folded: true } }, zoom: 2 },
    });
  });

  test('may contain keys that start with x- at every level', () => {
    const text = `x-a: 1
flow: { name: n, x-a: 1, policy: { x-a: 1 } }
nodes:
  - { id: a, type: t, input: {}, x-a: {}, policy: { x-a: 1, retry: { maxAttempts: 1, x-a: 1 } }, when: { not: { x-a: 1, equals: { var: a, value: 1, x-a: 1 } } } }
edges: [{ from: a, to: a, x-a: 1 }]
`;
    expect(parseProblems(text)).toEqual([]);
    expect(JSON.stringify(parseFlow(text).doc)).not.toContain('x-a');
  });

  test('may start with a byte order mark and have Windows line endings', () => {
    const text = `\uFEFF${header}nodes:\n  - { id: a-b, type: t, input: {} }\nedges: []\n`.replaceAll('\n', '\r\n');
    expect(parseProblems(text)).toEqual(['3:11 error node.bad-id']);
    expect(parseProblems(`\uFEFFflou: 1\r\n${minimal}`)).toEqual(['1:1 error flow.unknown-key']);
  });

  test('is YAML 1.2 core: words, dates and times are text, even under %YAML 1.1', () => {
    const values = 'a: no, b: on, c: 2024-05-01, d: 12:30:45, e: 0o17, f: 0x1f, g: 1_000, h: !!str 5, i: 1e3, j: Null';
    const text = `${header.replace('test', `test, input: { ${values} }`)}nodes: []\nedges: []\n`;
    const expected = {
      a: 'no',
      b: 'on',
      c: '2024-05-01',
      d: '12:30:45',
      e: 15,
      f: 31,
      g: '1_000',
      h: '5',
      i: 1000,
      j: null,
    };
    expect(parseFlow(text)).toMatchObject({ diagnostics: [], doc: { flow: { input: expected } } });
    expect(parseFlow(`%YAML 1.1\n---\n${text}`)).toMatchObject({ diagnostics: [], doc: { flow: { input: expected } } });
  });

  test('may use aliases, and << is an ordinary key', () => {
    const text = `flow: { name: n, input: { a: &a { b: [1] }, c: *a, "<<": *a } }\nnodes: []\nedges: []\n`;
    expect(parseFlow(text)).toMatchObject({
      diagnostics: [],
      doc: { flow: { input: { a: { b: [1] }, c: { b: [1] }, '<<': { b: [1] } } } },
    });
  });
});

describe('positions of nodes', () => {
  const texts = [
    'flow: { name: x }\nnodes:\n  # first\n  - id: a # the one\n    type: echo\n    input: { text: hi }  # c1\n\n  # before b\n  - id: b\n    type: echo\n    input:\n      text: |\n        hello\n        # no comment\n\nedges: []\n',
    'flow: { name: x }\r\nnodes:\r\n- id: a\r\n  type: echo\r\n  input:\r\n    text: "hi"   # c1\r\n\r\n- { id: b, type: echo, input: {} } # c2\r\nedges: []\r\n',
    'nodes:\n  - type: echo\n    id: b\n    input: {}\nflow: { name: x }\nedges: []\nlayout:\n  nodes:\n    b: { x: 1, y: 2 }\n',
  ];

  test.each(texts)('the fast and the full parser agree except for comments at the end: %j', (text) => {
    const quick = parseFlow(text);
    // A tab is only handled by the full parser.
    const full = parseFlow(`${text}#\t\n`);
    const lines = text.split(/\r?\n/);
    for (const { id } of quick.doc?.nodes ?? []) {
      const [found, wanted] = [quick.nodeRange(id), full.nodeRange(id)];
      expect([found?.line, found?.column]).toEqual([wanted?.line, wanted?.column]);
      const more = lines.slice(found?.endLine, wanted?.endLine);
      expect(more.filter((line) => !/^\s*(?:#|$)/.test(line))).toEqual([]);
      expect(found?.endLine).toBeLessThanOrEqual(wanted?.endLine ?? 0);
    }
    expect(quick.doc?.nodes.length).toBeGreaterThan(0);
  });
});
