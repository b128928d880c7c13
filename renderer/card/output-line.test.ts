import { expect, test } from 'vitest';
import type { JsonValue } from '../../engine/isomorphic.ts';
import { outputLine } from './output-line.ts';

const png = 'data:image/png;base64,iVBORw0KGgo=';

/** Returns the reference to a value that is stored separately. */
function large(type: string, preview: string): JsonValue {
  return { $value: 'a'.repeat(64), bytes: 2_000_000, type, preview };
}

test.each<[JsonValue, string | null]>([
  ['\n\n  The mill stands.\nBy the water.', 'The mill stands.'],
  [{ text: 'Grain goes in.\nFlour comes out.', model: 'm' }, 'Grain goes in.'],
  [[1, 2, 3], '3 items'],
  [[1], '1 item'],
  [{ files: [{ path: 'a.md' }, { path: 'b.md' }], text: 'all' }, 'files: 2 items'],
  [{ kept: [], dropped: [1] }, 'kept: 0 items, dropped: 1 item'],
  [{ status: 200, ok: true, headers: { a: 1 } }, 'status 200, ok true'],
  [{ route: 'major' }, 'route major'],
  [{ path: 'out.md', sizeBytes: 88 }, 'out.md, 88 B'],
  [{ sizeBytes: 2_300_000, path: 'a/b c.pdf' }, 'a/b c.pdf, 2.3 MB'],
  [{ path: 'a.bin', bytes: 1500, isNew: true }, 'a.bin, 2 KB, isNew true'],
  [{ path: 'a.md', exists: false }, 'a.md, exists false'],
  [{ path: 'a.md', text: 'What it says', sizeBytes: 12 }, 'What it says'],
  [{ path: '', sizeBytes: 5 }, 'sizeBytes 5'],
  [{ path: ['a', 'b'], sizeBytes: 5 }, 'path: 2 items'],
  [{ items: [1, 2, 3] }, '3 items'],
  [{ items: [1], total: 9 }, '1 item'],
  [{ items: [], rest: [1] }, 'items: 0 items, rest: 1 item'],
  [
    { text: '```json\n{"urgent":true}\n```', value: { urgent: true, people: ['Grace'], kind: 'bug' } },
    'urgent true, kind bug',
  ],
  [{ text: '{"people":["Grace"]}', value: { people: ['Grace'] } }, 'people: 1 item'],
  [{ text: '[1, 2]', value: [1, 2] }, '2 items'],
  [{ text: 'Yes.', value: 'yes' }, 'yes'],
  [{ text: 'null', value: null }, null],
  [{ value: 7 }, 'value 7'],
  [{ values: { note: 'Paid', size: 3 }, comment: '', by: 'ada', at: 1_795_466_172_724 }, 'note Paid, size 3'],
  [{ values: {}, comment: 'none', by: null, at: 1_795_466_172_724 }, 'none'],
  [
    { route: 'approved', approved: true, comment: 'as agreed', by: 'ada', at: 1_795_466_172_724 },
    'approved, as agreed',
  ],
  [42, '42'],
  [false, 'false'],
  [{ text: 7 }, '7'],
  [large('object', '{"text":"One \\"long\\" day\\nin the mill'), 'One "long" day'],
  [large('array', '[{"a":1},{"a"'), '2.0 MB'],
  [large('object', '{"other":"x'), '2.0 MB'],
  [large('string', png), '2.0 MB'],
  [large('string', '"Quoted", he said\nmore'), '"Quoted", he said'],
  [{ text: large('string', 'Nested text') }, 'Nested text'],
  [null, null],
  ['', null],
  [{}, null],
  [{ text: '' }, null],
])('%j', (output, text) => {
  expect(outputLine(output)?.text ?? null).toBe(text);
});

test('a picture is shown as a thumbnail beside the other output, and other URLs are text', () => {
  expect(outputLine(png)).toMatchObject({ text: '', picture: png });
  expect(outputLine({ image: png, text: 'A mill' })).toMatchObject({ text: 'A mill', picture: png });
  expect(outputLine('data:text/html,<b>hi</b>')?.picture).toBeNull();
  expect(outputLine('https://a.example/mill.png')).toMatchObject({ text: 'https://a.example/mill.png', picture: null });
});

test('a file with a picture extension is named, but a picture in the value takes precedence', () => {
  const fileOf = (output: JsonValue) => outputLine(output)?.pictureFile;
  expect(['a.png', 'b/c.JPEG', 'd.svg', 'e.md', 'png'].map((path) => fileOf({ path, sizeBytes: 1 }))).toEqual([
    'a.png',
    'b/c.JPEG',
    'd.svg',
    null,
    null,
  ]);
  expect(fileOf({ path: 'a.png', image: png })).toBeNull();
  expect(fileOf('a.png')).toBeNull();
});

test('a long line is truncated', () => {
  expect(outputLine('x'.repeat(10_000))?.text).toHaveLength(200);
});
