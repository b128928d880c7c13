/** Compares the list of files that interpret the events of tasks, in ARCHITECTURE.md, with the sources. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');

/** A comparison with the type of a task's event, a case of a switch, or an entry or key of a table. */
const naming =
  /(?:\bcase |[!=]== ?|^\s*)['"`]task:(?:start|complete|failed|cancelled|skipped)\b|startsWith\(['"`]task:/m;

function isForTests(file: string): boolean {
  return /\.test\.tsx?$|(?:^|\/)(?:testing\/|test-)/.test(file);
}

function readersIn(folder: string): readonly string[] {
  return readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.split(path.sep).join('/')}`)
    .filter((file) => /\.tsx?$/.test(file) && !isForTests(file))
    .filter((file) => naming.test(readFileSync(path.join(root, file), 'utf8')));
}

function listed(): readonly string[] {
  const text = readFileSync(path.join(root, 'ARCHITECTURE.md'), 'utf8');
  const section = text.split(/^## /m).find((part) => part.startsWith('Who interprets events')) ?? '';
  return [...section.matchAll(/^\| `([^`]+)` \| .+ \|$/gm)].map(([, file = '']) => file);
}

test('only the files listed in ARCHITECTURE.md interpret events of tasks', () => {
  expect(listed().toSorted()).toEqual(['engine', 'electron', 'renderer'].flatMap(readersIn).toSorted());
});

test.each([
  "    case 'task:start':",
  "if (event.type === 'task:failed') return;",
  "  'task:complete',",
  "  'task:complete': { open: -1 },",
  "event.type.startsWith('task:')",
])('the line %j interprets an event', (line) => {
  expect(naming.test(line)).toBe(true);
});

test.each(["emit({ type: 'task:start', taskId });", "start: Extract<RunEvent, { type: 'task:start' }>,"])(
  'the line %j does not',
  (line) => {
    expect(naming.test(line)).toBe(false);
  },
);
