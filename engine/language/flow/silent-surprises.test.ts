import { describe, expect, test } from 'vitest';
import { parsePolicy } from '../../runtime/governance/parse-policy.ts';
import { parseAgent } from '../agent/parse-agent.ts';
import { parseFlow } from './parse-flow.ts';

const conflict = (before: string, one: string, other: string): string =>
  `${before}<<<<<<< HEAD\n${one}=======\n${other}>>>>>>> main\n`;

function found(text: string): readonly (readonly [number, string, string])[] {
  return parseFlow(text).diagnostics.map(({ range, code, message }) => [range.line, code, message]);
}

describe('reports a git merge conflict as one error at its first line', () => {
  test('in a flow', () => {
    const text = conflict('flow: { name: x }\nnodes:\n', '  - { id: a, type: echo }\n', '  - { id: b, type: echo }\n');
    for (const one of [text, text.replaceAll('\n', '\r\n')])
      expect(found(one)).toEqual([[3, 'file.conflict', expect.stringContaining('Keep one of the two sides')]]);
  });

  test('in an agent and in a policy', () => {
    const agent = conflict('# Data\n\n', 'one\n', 'other\n');
    expect(parseAgent(agent).diagnostics).toMatchObject([{ code: 'file.conflict', range: { line: 3 } }]);
    expect(JSON.stringify(parsePolicy(conflict('', 'a: 1\n', 'a: 2\n')))).toContain('merge conflict');
  });

  test('not for a text that contains one, indented or as blocks to search and replace', () => {
    const prompt = `flow: { name: x }\nnodes:\n  - id: a\n    type: echo\n    input:\n      text: |\n${conflict('', 'a\n', 'b\n').replace(/^/gm, '        ')}\nedges: []\n`;
    expect(found(prompt)).toEqual([]);
    const agent = '# Instruction\n\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n';
    expect(parseAgent(agent).diagnostics.filter(({ code }) => code === 'file.conflict')).toEqual([]);
  });
});

test('a merge key of YAML 1.1 is rejected with what to write instead', () => {
  const text =
    'flow: { name: x }\nnodes:\n  - &a { id: a, type: echo, input: { text: x } }\n  - { <<: *a, id: b }\nedges: []\n';
  expect(found(text)).toContainEqual([4, 'flow.bad-value', expect.stringContaining('Write its keys out')]);
  const quoted =
    'flow: { name: x }\nnodes:\n  - { id: a, type: constant, input: { value: { "<<": { a: 1 } } } }\nedges: []\n';
  expect(found(quoted)).toEqual([]);
});

describe('reports characters that look like others', () => {
  test.each([
    ['{{a.te\u200Bxt}}', 'invisible character (U+200B)'],
    ['{{a.text | default:\u201Cx\u201D}}', 'curly quote'],
    ['{{a\u2013b}}', 'dash'],
  ])('in the binding %s', (binding, words) => {
    const text = `flow: { name: x, outputs: { y: '${binding}' } }\nnodes: []\nedges: []\n`;
    const problems = parseFlow(text).diagnostics;
    expect(problems).toEqual([]);
    return import('../bindings/binding-template.ts').then(({ parseTemplate }) =>
      expect(parseTemplate(binding).problems).toEqual([
        expect.objectContaining({ message: expect.stringContaining(words) }),
      ]),
    );
  });

  test('in a key', () => {
    const text = 'flow: { name: x }\nnodes:\n  - { id: a, type: echo, inp\u200But: { text: x } }\nedges: []\n';
    expect(
      found(text)
        .map(([, , message]) => message)
        .join(' '),
    ).toContain('invisible character (U+200B)');
  });

  test('on a line that is not YAML', () => {
    const text = 'flow: { name: x }\nnodes:\n\u00A0\u00A0- id: a\n\u00A0\u00A0  type: echo\nedges: []\n';
    expect(
      found(text)
        .map(([, , message]) => message)
        .join(' '),
    ).toContain('no-break space');
  });
});

test('tabs as indentation, and a file in UTF-16, are reported with a fix', () => {
  expect(found('flow:\n\tname: x\nnodes: []\nedges: []\n')[0]?.[2]).toContain('Indent with spaces');
  const utf16 = Buffer.from('\uFEFFflow: { name: x }\n', 'utf16le').toString('utf8');
  expect(found(utf16)).toEqual([[1, 'file.not-text', expect.stringContaining('UTF-16')]]);
});
