import { describe, expect, test } from 'vitest';
import { fileChangesInstruction } from '../api/udiffx.ts';
import { parseFileChanges } from './envelope.ts';

const directives = (inside: string) => parseFileChanges(`<FILE_CHANGES>\n${inside}\n</FILE_CHANGES>`).directives;

describe('parseFileChanges', () => {
  test('parses all directives in order', () => {
    expect(
      directives(`
<FILE_NEW file_path="a.txt">
one
</FILE_NEW>
<FILE_PATCH file_path='b.txt'>
@@
-x
</FILE_PATCH>
<FILE_APPEND file_path=c.txt>
two
</FILE_APPEND>
<FILE_COPY from_path="d" to_path="e"/>
<FILE_RENAME from_path="f" to_path="g" />
<FILE_DELETE file_path="h"></FILE_DELETE>`),
    ).toEqual([
      { kind: 'New', path: 'a.txt', content: 'one\n' },
      { kind: 'Patch', path: 'b.txt', content: '@@\n-x\n' },
      { kind: 'Append', path: 'c.txt', content: 'two\n' },
      { kind: 'Copy', path: 'e', from: 'd' },
      { kind: 'Rename', path: 'g', from: 'f' },
      { kind: 'Delete', path: 'h' },
    ]);
  });

  test('parses the first envelope and leaves the rest', () => {
    const text =
      'Before\n<FILE_CHANGES><FILE_DELETE file_path="a"/></FILE_CHANGES>\nAfter <FILE_CHANGES></FILE_CHANGES>';
    const { directives: found, rest } = parseFileChanges(text);
    expect(found).toEqual([{ kind: 'Delete', path: 'a' }]);
    expect(rest).toBe('Before\n\nAfter <FILE_CHANGES></FILE_CHANGES>');
    expect(parseFileChanges('no changes')).toEqual({ directives: [], rest: 'no changes' });
  });

  test('removes a single fence around the content', () => {
    expect(directives('<FILE_NEW file_path="a">\n```ts\nconst a = 1;\n```\n\n</FILE_NEW>')).toEqual([
      { kind: 'New', path: 'a', content: 'const a = 1;\n' },
    ]);
    expect(directives('<FILE_NEW file_path="a">\n# Title\n```\nx\n```\n</FILE_NEW>')).toEqual([
      { kind: 'New', path: 'a', content: '# Title\n```\nx\n```\n' },
    ]);
    expect(directives('<FILE_NEW file_path="a">\r\nx\r\n</FILE_NEW>')).toEqual([
      { kind: 'New', path: 'a', content: 'x\n' },
    ]);
    expect(directives('<FILE_NEW file_path="a"></FILE_NEW>')).toEqual([{ kind: 'New', path: 'a', content: '' }]);
  });

  test('reports incomplete directives', () => {
    expect(
      directives('<FILE_NEW>x</FILE_NEW><FILE_COPY to_path="b"/><FILE_DELETE file_path=""/><FILE_PATCH file_path="c">'),
    ).toEqual([
      { kind: 'Fail', path: 'unknown', problem: "The attribute 'file_path' is missing in FILE_NEW" },
      { kind: 'Fail', path: 'b', problem: "The attribute 'from_path' is missing in FILE_COPY" },
      { kind: 'Fail', path: '', problem: "The attribute 'file_path' is missing in FILE_DELETE" },
      { kind: 'Fail', path: 'c', problem: 'The closing tag </FILE_PATCH> is missing' },
    ]);
  });

  test('parses the example in the instructions for models', () => {
    const example = fileChangesInstruction.slice(fileChangesInstruction.lastIndexOf('<FILE_CHANGES>'));
    expect(parseFileChanges(example).directives.map(({ kind, path }) => [kind, path])).toEqual([
      ['New', 'src/greeting.ts'],
      ['Patch', 'src/main.ts'],
      ['Rename', 'docs/notes.md'],
      ['Delete', 'src/unused.ts'],
    ]);
  });
});
