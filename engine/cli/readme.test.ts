/** Checks that the commands in the README exist. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const readme = readFileSync(path.join(root, 'README.md'), 'utf8');

test('every npm command in the README is a script of the package', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const commands = Array.from(readme.matchAll(/\bnpm (?:run )?(?:-s )?([a-z:]+)/g), ([, name = '']) => name);
  expect(commands).toEqual(expect.arrayContaining(['start', 'test', 'docs']));
  expect(commands.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
});

test('the first screen of the README has a recording, and no other picture', () => {
  const pictures = Array.from(readme.matchAll(/(?:src|srcset)="([^"]+)"|!\[/g), ([, file]) => file);
  expect(pictures).toEqual(['docs/images/run-dark.webp', 'docs/images/run-light.webp']);
});
