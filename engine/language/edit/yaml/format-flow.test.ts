import { describe, expect, test } from 'vitest';
import { changedText, diffBy } from '../../../testing/text-diff.ts';
import { corpus } from '../../../testing/yaml-corpus.ts';
import { editFlow } from '../edit-flow.ts';

const format = (text: string): string => changedText(text, { do: 'format' });

/** Adds a bar before each line to make spaces visible. */
const lined = (text: string): string => text.replace(/^/gm, '|').replace(/\|$/, '');

describe('formatting a file', () => {
  test('indents each level by two spaces and puts one space after colons, commas and dashes', () => {
    const text = `flow:
    name :   Wide
nodes:
-   id: a
    type:\techo
    input:   {a:   1,b: [ 1 ,2 ], c: { }}   # stays
    # between
    policy:
            retry: {maxAttempts: 2}
`;
    expect(format(text)).toBe(`flow:
  name: Wide
nodes:
  - id: a
    type: echo
    input: { a: 1, b: [1, 2], c: {} }   # stays
    # between
    policy:
      retry: { maxAttempts: 2 }
`);
  });

  test('removes trailing spaces, keeps one of several blank lines, and ends the file with one line break', () => {
    expect(lined(format('flow:  \n  name: a # note\t \n\n  \n\nnodes: []\nedges: []\n\n\n'))).toBe(
      lined('flow:\n  name: a # note\n\nnodes: []\nedges: []\n'),
    );
    expect(format('flow: { name: a }\nnodes: []')).toBe('flow: { name: a }\nnodes: []\n');
    expect(format('nodes: []\r\nflow:\r\n    name: a')).toBe('nodes: []\r\nflow:\r\n  name: a\r\n');
  });

  test('moves multi-line text as a whole', () => {
    const text = `nodes:
- id: a
  input:
      prompt: |
            one
              two${'  '}

            three
      plain: some
         words
      kept: |+
        end


edges: []
`;
    expect(format(text)).toBe(`nodes:
  - id: a
    input:
      prompt: |
        one
          two${'  '}

        three
      plain: some
         words
      kept: |+
        end


edges: []
`);
  });

  test('indents multi-line flow style by two spaces for each bracket', () => {
    const text = `nodes: [
 { id: a, input: {
 x: [1,
 2] } },
 # note
      { id: b }
]
`;
    expect(format(text)).toBe(`nodes: [
  { id: a, input: {
      x: [1,
        2] } },
  # note
  { id: b }
]
`);
  });

  test('keeps a comment before a multi-line value aligned with the value', () => {
    const text = 'flow:\n  name:\n\n    # note\n     one#a\n      - two\n';
    expect(format(text)).toBe('flow:\n  name:\n\n    # note\n    one#a\n     - two\n');
  });

  test('moves comments together with the lines they are aligned with', () => {
    const text = `# top
nodes:
# of the list
- id: a
  # in a
      # deep
# of b

# more of b
- id: b
# of edges
edges: []
# end
`;
    expect(format(text)).toBe(`# top
nodes:
  # of the list
  - id: a
    # in a
    # deep
  # of b

  # more of b
  - id: b
# of edges
edges: []
# end
`);
  });

  test('leaves quotes, tags, anchors, long lines and the style of lists unchanged', () => {
    const long = `    text: ${'word '.repeat(60)}"end"\n`;
    const text = `x: &a   !!str "q"\nnodes:\n  - id: 'a'\n${long}    other: *a\n    list:\n      - "1"\n`;
    expect(diffBy(text, { do: 'format' })).toEqual([]);
  });

  test('returns no edits for a formatted file', () => {
    const tidy = [corpus.usual, corpus.windows, corpus.mark, corpus.brackets, corpus.unicode, corpus.loops];
    expect(tidy.map((text) => editFlow(text, { do: 'format' }))).toEqual(
      tidy.map(() => ({ ok: true, edits: [], label: 'Format file' })),
    );
  });

  test('edits only the lines that change', () => {
    expect(diffBy(corpus.usual.replace('id: parse', 'id:  parse'), { do: 'format' })).toEqual([
      '-  - id:  parse',
      '+  - id: parse',
    ]);
  });

  test('rejects invalid YAML, with the position', () => {
    const edit = editFlow('flow:\n  name: "a\n', { do: 'format' });
    expect(edit.ok ? '' : edit.error.message).toMatch(/not valid YAML.*Line \d+, column \d+/s);
  });

  test('cannot be combined with other changes', () => {
    const edit = editFlow(corpus.usual, { do: 'all', changes: [{ do: 'format' }], label: 'x' });
    expect(edit.ok ? '' : edit.error.message).toContain('Format the file separately');
  });
});

describe('formatting a part', () => {
  test('changes only the lines of one node', () => {
    const change = { do: 'format', node: 'b' } as const;
    expect(diffBy(corpus.fourBlanks, change)).toEqual([
      ...['-    -   id: b', '-        type: echo', '-        when:', '-            and:'],
      ...['-                -   exists: a.text', '-                -   not:', '-                        equals:'],
      ...['-                            var: a.text', '-                            value: 3', '-        input: {}'],
      ...['+    - id: b', '+      type: echo', '+      when:', '+        and:'],
      ...['+          - exists: a.text', '+          - not:', '+              equals:'],
      ...['+                var: a.text', '+                value: 3', '+      input: {}'],
    ]);
    expect(editFlow(corpus.fourBlanks, change)).toMatchObject({ label: 'Format b' });
  });

  test('changes only the requested lines, and keeps the columns of values that extend beyond them', () => {
    const text = 'nodes:\n-   id:  a\n    type:   echo\n    input:   {a: 1}\n';
    const change = { do: 'format', lines: { first: 3, last: 3 } } as const;
    expect(diffBy(text, change)).toEqual(['-    type:   echo', '+    type: echo']);
    expect(editFlow(text, change)).toMatchObject({ label: 'Format line 3' });
    expect(diffBy(text, { do: 'format', lines: { first: 2, last: 3 } })).toEqual([
      ...['--   id:  a', '-    type:   echo'],
      ...['+-   id: a', '+    type: echo'],
    ]);
  });

  test('rejects a node that does not exist', () => {
    const edit = editFlow(corpus.usual, { do: 'format', node: 'none' });
    expect(edit).toMatchObject({ ok: false, error: { code: 'edit.refused', nodeId: 'none' } });
  });
});
