import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { textOfLines } from '../formats/text-lines.ts';
import { applyPatch } from './apply-patch.ts';

/** Applies a patch in which all hunks must match. */
function patched(content: string, patch: string): string {
  const result = applyPatch(content, patch);
  expect(result.errors).toEqual([]);
  return result.content;
}

describe('hunks', () => {
  test('replaces, adds and removes lines where the hunk matches', () => {
    expect(patched('a\nb\nc\nd\n', '@@\n a\n-b\n+B\n c\n@@\n c\n-d\n')).toBe('a\nB\nc\n');
    expect(patched('a\nb\n', '@@\n+new\n a\n')).toBe('new\na\nb\n');
  });

  test('accepts line numbers, headers and wrappers around hunks', () => {
    const patch = '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@ fn main\n-a\n+A\n b\n\\ No newline at end of file\n';
    expect(patched('a\nb\n', patch)).toBe('A\nb\n');
    expect(patched('a\nb\n', '*** Begin Patch\n*** Update File: x\n@@\n-a\n+A\n*** End Patch\n')).toBe('A\nb\n');
    expect(patched('a\nb\n', '-a\n+A\n')).toBe('A\nb\n');
  });

  test('accepts hunks in any order', () => {
    expect(patched('a\nb\nc\nd\n', '@@\n-d\n+D\n@@\n-a\n+A\n')).toBe('A\nb\nc\nD\n');
  });

  test('appends hunks that only add lines', () => {
    expect(patched('a\n', '@@\n+b\n+c\n')).toBe('a\nb\nc\n');
    expect(patched('a\n\n', '@@\n+\n+b\n')).toBe('a\n\nb\n');
    expect(patched('a\n', '@@\n \n+b\n \n')).toBe('a\nb\n');
  });

  test('creates a new file', () => {
    expect(patched('', '@@\n+a\n+b\n')).toBe('a\nb\n');
    expect(patched('', '@@\n a\n-x\n+b\n')).toBe('a\nb\n');
  });

  test('reports hunks that do not match and applies the others', () => {
    const { content, errors, hunkCount } = applyPatch('a\nb\nc\n', '@@\n-a\n+A\n@@\n-zzz\n+Z\n@@\n-c\n+C\n');
    expect(content).toBe('A\nb\nC\n');
    expect(hunkCount).toBe(3);
    expect(errors).toEqual([{ hunk_body: '-zzz\n+Z', cause: expect.stringContaining('not found') }]);
  });

  test('omits hunks without changes', () => {
    expect(applyPatch('a\n', '@@\n a\n').hunkCount).toBe(0);
    expect(applyPatch('a\n', '').hunkCount).toBe(0);
  });

  test('normalizes Windows line ends and adds a missing final one', () => {
    expect(patched('a\r\nb\r\nc', '@@\n-b\n+B\n')).toBe('a\nB\nc\n');
  });
});

describe('tiers', () => {
  test.each([
    ['white space', '    if (a   ==  b) {', 'if (a == b) {'],
    ['the level of a heading', '### Some Title', '## Some Title'],
    ['a part at the end of ten signs', 'const value = computeTheValue(1)', 'computeTheValue(1)'],
    ['a comma at the end', 'one: 1,', 'one: 1'],
    ['letter case', 'Hello World', 'hello world'],
    ['backticks', 'Use `npm` here', 'Use npm here'],
    ['signs at the end', 'A sentence.', 'A sentence'],
    ['underscores in numbers', 'limit = 1_000', 'limit = 1000'],
    ['white space within', 'foo( a,b )', 'foo(a, b)'],
  ])('ignores differences in %s', (_what, line, wanted) => {
    expect(patched(`first\n${line}\nlast\n`, `@@\n-${wanted}\n+new\n`)).toBe('first\nnew\nlast\n');
  });

  test("keeps the file's version of context lines", () => {
    expect(patched('  Alpha  beta\nx\n', '@@\n alpha beta\n-x\n+y\n')).toBe('  Alpha  beta\ny\n');
  });

  test('prefers the strictest match', () => {
    expect(patched('  value\nvalue\nVALUE\n', '@@\n-value\n+new\n')).toBe('  value\nnew\nVALUE\n');
    expect(patched('    the value\nThe Value\n', '@@\n-the value\n+new\n')).toBe('new\nThe Value\n');
  });

  test('does not match a comment that ends with the wanted line', () => {
    expect(applyPatch('// do something\n', '@@\n-do something\n+new\n').errors).toHaveLength(1);
    expect(applyPatch('short\n', '@@\n-rt\n+new\n').errors).toHaveLength(1);
  });

  test('tolerates blank lines in the file or the hunk', () => {
    expect(patched('a\nb\nc\n', '@@\n a\n\n-b\n+B\n')).toBe('a\n\nB\nc\n');
    expect(patched('a\n\n\nb\n', '@@\n a\n-b\n+B\n')).toBe('a\n\n\nB\n');
  });

  test('tolerates context lines past the end of the file if there are few', () => {
    expect(patched('a\nb\n', '@@\n a\n-b\n+B\n end\n')).toBe('a\nB\n');
    expect(applyPatch('a\nb\n', '@@\n-b\n+B\n end\n').errors).toHaveLength(1);
    expect(applyPatch('a\nb\n', '@@\n a\n-b\n-c\n').errors).toHaveLength(1);
  });
});

describe('places', () => {
  const twice = 'start\nfn one\n  call()\nend\nfn two\n  call()\nend\n';

  test('chooses a place by the lines of the adjacent hunks', () => {
    expect(patched(twice, '@@\n-  call()\n+  CALL()\n@@\n end\n fn two\n-  call()\n+  OTHER()\n')).toBe(
      'start\nfn one\n  CALL()\nend\nfn two\n  OTHER()\nend\n',
    );
    expect(patched(twice, '@@\n fn two\n+  first()\n@@\n-  call()\n+  second()\n')).toBe(
      'start\nfn one\n  call()\nend\nfn two\n  first()\n  second()\nend\n',
    );
  });

  test('otherwise chooses the nearest place after the last hunk', () => {
    expect(patched('x\nx\nx\n', '@@\n-x\n+1\n@@\n-x\n+2\n')).toBe('1\n2\nx\n');
  });

  test('prefers a place with uniform indentation', () => {
    const file = '  a();\n      b();\nmid\n    a();\n    b();\n';
    expect(patched(file, '@@\n-a();\n-b();\n+c();\n')).toBe('  a();\n      b();\nmid\nc();\n');
  });
});

describe('ranges', () => {
  const file = textOfLines(['top', 'a1', 'a2', 'x', '', 'y', 'z1', 'z2', 'bottom']);

  test('removes everything between the ends of a range', () => {
    expect(patched(file, '@@\n top\n-a1\n-a2\n~\n-z1\n-z2\n+new\n bottom\n')).toBe('top\nnew\nbottom\n');
  });

  test('requires two removed lines on both sides of a range', () => {
    for (const patch of ['@@\n-a2\n~\n-z1\n-z2\n', '@@\n-a1\n-a2\n~\n-z1\n bottom\n', '@@\n top\n a1\n~\n-z1\n-z2\n']) {
      const { content, errors } = applyPatch(file, patch);
      expect(content).toBe(file);
      expect(errors[0]?.cause).toContain('at least two removed lines');
    }
  });

  test('ends a range at the first place that matches, even if all lines are equal', () => {
    const many = 'x\n'.repeat(5_000);
    expect(patched(many, '@@\n-x\n-x\n~\n-x\n-x\n+y\n')).toBe(`y\n${'x\n'.repeat(4_996)}`);
    expect(applyPatch(many, '@@\n-x\n-x\n~\n-y\n-y\n').errors).toHaveLength(1);
  });

  test('requires the end of a range to be present', () => {
    expect(applyPatch(file, '@@\n-a1\n-a2\n~\n-q1\n-q2\n').errors).toHaveLength(1);
  });
});

describe('any edit', () => {
  const line = fc.constantFrom('', 'a', '  a', 'b', '- c', '+d', '~', '@@', '*** End Patch', 'const longer_line = 1;');

  /** A whole file as one hunk. Each line is kept or removed, and lines may be added before it. */
  const edit = fc.array(fc.record({ text: line, stays: fc.boolean(), added: fc.array(line, { maxLength: 2 }) }), {
    minLength: 1,
    maxLength: 12,
  });

  test('applying the patch of an edit yields the edited file', () => {
    fc.assert(
      fc.property(edit, (parts) => {
        fc.pre(parts.some(({ text }) => text !== '') && parts.at(-1)?.text !== '');
        const before = textOfLines(parts.map(({ text }) => text));
        const after = textOfLines(parts.flatMap(({ text, stays, added }) => (stays ? [...added, text] : added)));
        const patch = parts.flatMap(({ text, stays, added }) => [
          ...added.map((one) => `+${one}`),
          `${stays ? ' ' : '-'}${text}`,
        ]);
        fc.pre(patch.some((one) => one.startsWith('+') || one.startsWith('-')) && parts.some((one) => !one.stays));
        expect(patched(before, `@@\n${textOfLines(patch)}`)).toBe(after);
      }),
    );
  });

  test('an edit of distinct lines can be split into hunks with little context', () => {
    const changes = fc.uniqueArray(fc.nat({ max: 19 }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(changes, fc.boolean(), (places, isIndented) => {
        const lines = Array.from({ length: 20 }, (_, at) => `  line number ${String(at).padStart(2, '0')}`);
        const expected = lines.map((text, at) => (places.includes(at) ? `changed ${at}` : text));
        const shown = (at: number) => (isIndented ? lines[at] : lines[at]?.trim().toUpperCase());
        const hunks = places.map((at) => {
          const before = at > 0 && !places.includes(at - 1) ? ` ${shown(at - 1)}\n` : '';
          return `@@\n${before}-${shown(at)}\n+changed ${at}\n`;
        });
        expect(patched(textOfLines(lines), hunks.join(''))).toBe(textOfLines(expected));
      }),
    );
  });
});
