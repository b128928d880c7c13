import { describe, expect, test } from 'vitest';
import { changedText, diffBy } from '../../testing/text-diff.ts';
import { corpus } from '../../testing/yaml-corpus.ts';
import { editFlow } from './edit-flow.ts';

const format = (text: string): string => changedText(text, { do: 'format' });

/** Each line with a bar before it, so that its blanks are seen. */
const lined = (text: string): string => text.replace(/^/gm, '|').replace(/\|$/, '');

describe('formatting a file', () => {
  test('sets two blanks for each level and one behind colons, commas and dashes', () => {
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

  test('takes blanks from the ends of lines, keeps one empty line of several, and ends the file with one line end', () => {
    expect(lined(format('flow:  \n  name: a # note\t \n\n  \n\nnodes: []\nedges: []\n\n\n'))).toBe(
      lined('flow:\n  name: a # note\n\nnodes: []\nedges: []\n'),
    );
    expect(format('flow: { name: a }\nnodes: []')).toBe('flow: { name: a }\nnodes: []\n');
    expect(format('nodes: []\r\nflow:\r\n    name: a')).toBe('nodes: []\r\nflow:\r\n  name: a\r\n');
  });

  test('moves text over several lines as a whole', () => {
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

  test('sets what stands between brackets over lines two blanks deeper for each bracket', () => {
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

  test('keeps a comment before a value of several lines as deep as the value', () => {
    const text = 'flow:\n  name:\n\n    # note\n     one#a\n      - two\n';
    expect(format(text)).toBe('flow:\n  name:\n\n    # note\n    one#a\n     - two\n');
  });

  test('moves comments with what they are aligned with', () => {
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

  test('leaves quotes, tags, anchors, long lines and the style of lists alone', () => {
    const long = `    text: ${'word '.repeat(60)}"end"\n`;
    const text = `x: &a   !!str "q"\nnodes:\n  - id: 'a'\n${long}    other: *a\n    list:\n      - "1"\n`;
    expect(diffBy(text, { do: 'format' })).toEqual([]);
  });

  test('gives no edits for a tidy file', () => {
    const tidy = [corpus.usual, corpus.windows, corpus.mark, corpus.brackets, corpus.unicode, corpus.loops];
    expect(tidy.map((text) => editFlow(text, { do: 'format' }))).toEqual(
      tidy.map(() => ({ ok: true, edits: [], label: 'Format file' })),
    );
  });

  test('touches only the lines that change', () => {
    expect(diffBy(corpus.usual.replace('id: parse', 'id:  parse'), { do: 'format' })).toEqual([
      '-  - id:  parse',
      '+  - id: parse',
    ]);
  });

  test('is refused for a text that is no YAML, with the place', () => {
    const edit = editFlow('flow:\n  name: "a\n', { do: 'format' });
    expect(edit.ok ? '' : edit.error.message).toMatch(/no valid YAML.*Line \d+, column \d+/s);
  });

  test('cannot be one of several changes', () => {
    const edit = editFlow(corpus.usual, { do: 'all', changes: [{ do: 'format' }], label: 'x' });
    expect(edit.ok ? '' : edit.error.message).toContain('Format the file by itself');
  });
});

describe('formatting a part', () => {
  test('changes the lines of one node only', () => {
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

  test('changes only lines that are asked for, and keeps columns that reach beyond them', () => {
    const text = 'nodes:\n-   id:  a\n    type:   echo\n    input:   {a: 1}\n';
    const change = { do: 'format', lines: { first: 3, last: 3 } } as const;
    expect(diffBy(text, change)).toEqual(['-    type:   echo', '+    type: echo']);
    expect(editFlow(text, change)).toMatchObject({ label: 'Format line 3' });
    expect(diffBy(text, { do: 'format', lines: { first: 2, last: 3 } })).toEqual([
      ...['--   id:  a', '-    type:   echo'],
      ...['+-   id: a', '+    type: echo'],
    ]);
  });

  test('is refused for a node that there is not', () => {
    const edit = editFlow(corpus.usual, { do: 'format', node: 'none' });
    expect(edit).toMatchObject({ ok: false, error: { code: 'edit.refused', nodeId: 'none' } });
  });
});
