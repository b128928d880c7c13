import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const page = readFileSync(path.join(root, 'SECURITY.md'), 'utf8');
const points = [...page.matchAll(/^\| (\d+) \|(.*)\|(.*)\|(.*)\|$/gm)];

test('SECURITY.md contains every point of the list, each with existing files and tests', () => {
  expect(points.map(([, number]) => Number(number))).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
  for (const [, number, , how = '', shown = ''] of points) {
    const files = [...how.matchAll(/`([\w./-]+\/[\w.-]+)`/g)].map(([, file = '']) => file);
    expect([number, files.filter((file) => !existsSync(path.join(root, file)))]).toEqual([number, []]);
    const [, spec = '', title = ''] = /`(e2e\/[\w.-]+)` "(.*)"/.exec(shown) ?? [];
    const text = existsSync(path.join(root, spec)) && spec !== '' ? readFileSync(path.join(root, spec), 'utf8') : '';
    expect([number, title, text.includes(`test('${title}'`)]).toEqual([number, title, true]);
  }
});
