/** Tests the list of triggers that are on, and what damages the lists that only a person changes. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { createManualClock } from '../../testing/manual-clock.ts';
import { openApiKeys } from '../http/api-keys.ts';
import { openPublishedFlows } from '../http/published-flows.ts';
import { createEnabledTriggers } from './enabled-triggers.ts';

const clock = createManualClock();
const name = { flow: 'a.flow.yaml', trigger: 'daily' };
const on = { hash: 'h', by: 'kim', at: 1 };

let workspace: string;
let home: string;
beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(tmpdir(), 'millrace-enabled-')));
  home = mkdtempSync(join(tmpdir(), 'millrace-home-'));
  mkdirSync(join(home, 'millrace'));
});
afterEach(() => {
  for (const folder of [workspace, home]) rmSync(folder, { recursive: true, force: true });
});

function fileOf(list: string): string {
  return join(home, 'millrace', list);
}

test('a trigger is switched on for one workspace, and the others stay', async () => {
  const workspaces = { '/other': { 'b.flow.yaml': { weekly: { ...on, later: 'field of a newer version' } } } };
  writeFileSync(fileOf('triggers.json'), JSON.stringify({ version: 1, workspaces }));
  const list = createEnabledTriggers(workspace, home, clock);
  expect(await list.read()).toEqual({});
  await list.set(name, on);
  expect(await list.read()).toEqual({ 'a.flow.yaml': { daily: on } });
  const stored = JSON.parse(readFileSync(fileOf('triggers.json'), 'utf8'));
  expect(stored).toEqual({ version: 1, workspaces: { ...workspaces, [workspace]: { 'a.flow.yaml': { daily: on } } } });
  await list.set(name, undefined);
  expect(await list.read()).toEqual({ 'a.flow.yaml': {} });
});

/** Shapes of a file that no list has. */
const oddShapes = (field: string): readonly string[] => [
  ...['', '{', 'null', '[]', '5', '"text"', '{}', '{"version":1}'],
  ...['null', '[]', '"text"', '{"a":null}', '{"a":[]}', '{"a":5}', '{"a":{"b":null}}', '{"a":{"b":{"c":null}}}'].map(
    (content) => `{"version":1,"${field}":${content}}`,
  ),
  `{"version":1,"${field}":{"a":{"b":{"c":{"hash":5,"by":"kim","at":1}}}}}`,
  `{"version":2,"${field}":{}}`,
];

describe('a damaged list', () => {
  test.each(oddShapes('workspaces'))('of triggers that are on is named, and stays as it is: %s', async (content) => {
    writeFileSync(fileOf('triggers.json'), content);
    const list = createEnabledTriggers(workspace, home, clock);
    const error = { code: 'http.bad-list', message: expect.stringContaining(fileOf('triggers.json')) };
    await expect(list.read()).rejects.toMatchObject(error);
    await expect(list.set(name, on)).rejects.toMatchObject(error);
    expect(readFileSync(fileOf('triggers.json'), 'utf8')).toBe(content);
  });

  test.each([
    ['published.json', openPublishedFlows],
    ['api-keys.json', openApiKeys],
  ] as const)('is named, and stays as it is: %s', async (file, open) => {
    for (const content of oddShapes('entries')) {
      writeFileSync(fileOf(file), content);
      const list = open(home, clock);
      const thrown = await list.change((former) => former as never).catch((error: unknown) => error);
      expect([content, EngineError.is(thrown) && thrown.code]).toEqual([content, 'http.bad-list']);
      expect(readFileSync(fileOf(file), 'utf8')).toBe(content);
    }
  });

  test('names the place of the mistake', async () => {
    writeFileSync(fileOf('triggers.json'), '{"version":1,"workspaces":{"/w":{"a.flow.yaml":{"daily":{"hash":5}}}}}');
    const { message } = await createEnabledTriggers(workspace, home, clock)
      .read()
      .then(
        () => new Error('It was read.'),
        (error: Error) => error,
      );
    expect(message).toContain('workspaces > /w > a.flow.yaml > daily > hash: ');
  });

  test('is an error of the engine if the system cannot read it', async () => {
    mkdirSync(fileOf('triggers.json'));
    await expect(createEnabledTriggers(workspace, home, clock).read()).rejects.toMatchObject({
      code: 'files.not-readable',
    });
  });
});
