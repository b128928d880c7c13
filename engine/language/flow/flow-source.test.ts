import { expect, test } from 'vitest';
import { FlowSource, lineInFile } from './flow-source.ts';

const text = `flow: { name: Lines }
nodes:
  - id: first
    type: script.js
    input: {}
    config:
      code: | # a comment
        const a = 1;

        return a;
  - id: kept
    type: script.js
    config: { code: "return 1" }
    input: {}
  - id: folded
    type: script.js
    input: {}
    config:
      code: >-
        return
        1
  - id: anchored
    type: script.lua
    input: {}
    config:
      code: &shared |-

          return 1
  - { id: again, type: script.js, input: {}, config: { code: *shared } }
  - id: plain
    type: script.js
    input: {}
    config:
      code: return
        1
edges: []
`;

test.each([
  ['first', { line: 8, isExact: true }],
  ['kept', { line: 11, isExact: false }],
  ['folded', { line: 15, isExact: false }],
  ['anchored', { line: 27, isExact: true }],
  ['again', { line: 29, isExact: false }],
  ['plain', { line: 30, isExact: false }],
  ['missing', { line: 1, isExact: false }],
])('BB-23 locates the code of "%s": exactly in | blocks, else at its node', (nodeId, place) => {
  for (const written of [text, `\uFEFF${text}`, text.replaceAll('\n', '\r\n')]) {
    expect(new FlowSource('a.flow.yaml', written).placeOf(nodeId, ['config', 'code'])).toEqual(place);
  }
});

test('BB-23 a line of the code is a line of the file only if the file contains it unchanged', () => {
  expect(lineInFile({ line: 8, isExact: true }, 3)).toBe(10);
  expect(lineInFile({ line: 8, isExact: false }, 3)).toBe(8);
});
