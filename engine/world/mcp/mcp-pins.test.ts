/** Tests which MCP tools a person has allowed, and for how long. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createTestFolder, type TestFolder } from '../files/testing/test-folder.ts';
import { createMcpPins } from './mcp-pins.ts';

let folder: TestFolder;
beforeEach(() => {
  folder = createTestFolder();
  for (const name of ['base/millrace', 'one', 'two']) mkdirSync(folder.at(name), { recursive: true });
});
afterEach(() => folder.remove());

const clock = createManualClock();
const write = { server: 'files', tool: 'write', hash: 'a' };
const pinsOf = (workspace: string) =>
  createMcpPins({ baseFolder: folder.at('base'), workspace: folder.at(workspace), clock });
const file = (): string => path.join(folder.at('base'), 'millrace', 'mcp-tools.json');

test('13.17 a tool is allowed in one workspace, in its current form, until it is withdrawn', async () => {
  const pins = pinsOf('one');
  expect([await pins.stateOf(write), await pins.list()]).toEqual(['new', []]);
  await pins.pin(write, 5);
  expect([await pins.stateOf(write), await pins.stateOf({ ...write, hash: 'b' })]).toEqual(['pinned', 'changed']);
  expect(await pins.list()).toEqual([{ server: 'files', tool: 'write', at: 5 }]);
  expect([await pinsOf('two').stateOf(write), await pinsOf('two').list()]).toEqual(['new', []]);
  await pins.withdraw(write);
  expect([await pins.stateOf(write), await pinsOf('one').stateOf(write), await pins.list()]).toEqual([
    'new',
    'new',
    [],
  ]);
});

test('13.17 an approval from before a withdrawal does not restore the permission', async () => {
  const pins = pinsOf('one');
  const now = clock.now();
  await pins.pin(write, now - 10);
  await pins.withdraw(write);
  await pins.pin(write, now - 10);
  expect(await pins.stateOf(write)).toBe('new');
  await pins.pin(write, now + 1);
  expect(await pins.stateOf(write)).toBe('pinned');
});

test('13.17 an approval recorded by an earlier version asks again and stays recorded until then', async () => {
  const realOne = folder.at('one');
  const earlier = { version: 1, workspaces: { [realOne]: { files: { write: 'a', read: 'r' } } } };
  writeFileSync(file(), JSON.stringify(earlier));
  const pins = pinsOf('one');
  expect([await pins.stateOf(write), await pins.stateOf({ ...write, hash: 'b' })]).toEqual(['earlier', 'changed']);
  expect(await pins.list()).toEqual([
    { server: 'files', tool: 'read' },
    { server: 'files', tool: 'write' },
  ]);
  await pins.pin(write, 5);
  expect([await pins.stateOf(write), await pins.stateOf({ ...write, tool: 'read', hash: 'r' })]).toEqual([
    'pinned',
    'earlier',
  ]);
  expect(JSON.parse(readFileSync(file(), 'utf8'))).toEqual({
    version: 2,
    workspaces: { [realOne]: { files: { write: { hash: 'a', at: 5 }, read: 'r' } } },
  });
  await pins.withdraw({ server: 'files', tool: 'read' });
  expect(await pins.list()).toHaveLength(1);
});

test.each(['{', '[]', '{"version":3,"workspaces":{}}', '{"version":2,"workspaces":{"/":{"files":{"write":true}}}}'])(
  '13.17 an unreadable list allows nothing and is not overwritten: %s',
  async (text) => {
    writeFileSync(file(), text);
    const pins = pinsOf('one');
    expect([await pins.stateOf(write), await pins.list()]).toEqual(['new', []]);
    await expect(pins.pin(write, 5)).rejects.toMatchObject({ code: 'mcp.pins-unreadable' });
    expect(readFileSync(file(), 'utf8')).toBe(text);
  },
);
