/**
 * Tests damage to one run of a history, made with SQL: all other runs stay usable, and the damaged run is listed with
 * its problem.
 */
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RunId } from '../../base/ids.ts';
import { type Db, openDb } from '../../history/store/db.ts';
import type { Engine } from '../../index.ts';
import { type AgentWorkspace, createAgentWorkspace } from './test-agent-workspace.ts';

const flow = `flow: { name: F }
nodes:
  - { id: a, type: echo, input: { text: "${'x'.repeat(20_000)}" } }
  - { id: b, type: echo, input: { text: "\${a.text}" } }
edges:
  - { from: a, to: b }
`;
const asking = `flow: { name: Ask }
nodes:
  - { id: ask, type: human_approval, input: { message: "Go on?" } }
edges: []
`;

let at: AgentWorkspace;
let engine: Engine;
let db: Db;
/** The runs of `flow`, latest last. The latest one is damaged. */
let ids: readonly [RunId, RunId, RunId];
const number = 3;

beforeAll(async () => {
  at = createAgentWorkspace();
  engine = await at.open();
  const run = async (path: string, text: string): Promise<RunId> => {
    const { runId } = await engine.startRun({ path, text, inputs: {} });
    await engine.whenEnded(runId);
    return runId;
  };
  ids = [await run('f.flow.yaml', flow), await run('f.flow.yaml', flow), await run('f.flow.yaml', flow)];
  await run('ask.flow.yaml', asking);
  await run('ask.flow.yaml', asking);
  db = await openDb(at.at('workspace/.millrace/runs.db'));
  db.exec('PRAGMA foreign_keys = OFF');
  for (const table of tables) db.exec(`CREATE TEMP TABLE kept_${table} AS SELECT * FROM ${table}`);
});
afterAll(async () => {
  db.close();
  await at.close();
});

const tables = ['run', 'value', 'waiting', 'answer'];

afterEach(() => {
  for (const table of tables) db.exec(`DELETE FROM ${table}; INSERT INTO ${table} SELECT * FROM kept_${table}`);
  db.exec('DELETE FROM event_group; INSERT INTO event_group (id, json) SELECT id, json FROM kept_event_group');
});

beforeAll(() => {
  db.exec('CREATE TEMP TABLE kept_event_group AS SELECT id, json FROM event_group');
});

const row = (assignment: string) => `UPDATE run SET ${assignment} WHERE id = ${number}`;
const log = (json: string, which = '') => `UPDATE event_group SET json = ${json} WHERE id >> 32 = ${number} ${which}`;
const first = `AND id = (SELECT min(id) FROM event_group WHERE id >> 32 = ${number})`;
const last = `AND id = (SELECT max(id) FROM event_group WHERE id >> 32 = ${number})`;

/** Damage that is shown in the list of runs. */
const listed: readonly (readonly [what: string, sql: string, damage: string])[] = [
  ['a kind that does not exist', row(`kind = 'thing'`), 'its kind is unknown'],
  ['an empty status', row(`status = ''`), 'its status is unknown'],
  ['a start that is not a safe number', row('started_at = 9223372036854775807'), 'its start time is invalid'],
  ['a start later than any date', row('started_at = 9007199254740991'), 'its start time is invalid'],
  ['a duration that is not a safe number', row('duration_ms = 9223372036854775807'), 'its duration is not a number'],
  ['inputs that are not JSON', row(`inputs = '{'`), 'its inputs are not valid JSON'],
  ['truncated inputs', row(`inputs = substr(inputs, 1, 1)`), 'its inputs are not valid JSON'],
  ['empty inputs', row(`inputs = ''`), 'its inputs are not valid JSON'],
  ['an error that is not JSON', row(`error = '{"code":'`), 'its error is damaged'],
  ['an error without a message', row(`error = '{"code":"x"}'`), 'its error is damaged'],
  ['an error that is null', row(`error = 'null'`), 'its error is damaged'],
  ['failed nodes that are not a list', row(`failed_nodes = '{}'`), 'its list of failed nodes is damaged'],
  ['failed nodes that are numbers', row(`failed_nodes = '[1]'`), 'its list of failed nodes is damaged'],
  ['truncated failed nodes', row(`failed_nodes = '["a'`), 'its list of failed nodes is damaged'],
  ['a definition that is missing', row(`definition_hash = 'gone'`), 'the text of its flow is missing'],
  ['settings that are missing', row(`node_settings_hash = 'gone'`), 'its node settings are missing'],
  ['no events', `DELETE FROM event_group WHERE id >> 32 = ${number}`, 'its events are missing'],
  ['first events that are not JSON', log(`'{'`, first), 'its first events are damaged'],
  ['first events that are a number', log(`'7'`, first), 'its first events are damaged'],
  ['truncated last events', log('substr(json, 1, length(json) / 2)', last), 'its last events are damaged'],
  ['last events that are empty', log(`'[]'`, last), 'its last events are damaged'],
  ['last events without a type', log(`'[{"at":1},{"type":null}]'`, last), 'its last events are damaged'],
];

describe.each(listed)('with %s', (_, sql, damage) => {
  test('lists one run as damaged, and lists, reads and reuses the others', async () => {
    db.exec(sql);
    const runs = await engine.listRuns({ limit: 9 });
    expect(runs.map((run) => [run.number, run.damage])).toEqual([
      [5, undefined],
      [4, undefined],
      [3, damage],
      [2, undefined],
      [1, undefined],
    ]);
    expect((await engine.getRun(ids[2])).damage).toBe(damage);
    await expectOthersToWork();
  });
});

/** Damage that is only found when the run itself is read. */
const hidden: readonly (readonly [what: string, sql: string])[] = [
  ['an event that is null', log(`json_insert(json, '$[#]', NULL, '$[#]', json('{"type":"run:end"}'))`, last)],
  ['an output that is missing', `DELETE FROM value WHERE text LIKE '{"text":"xxx%'`],
  ['a large value of the wrong shape in an event', log(`json_set(json, '$[1].nodes', 7, '$[1].inputs', 'x')`)],
  [
    'a definition that is not a flow',
    row(`definition_hash = (SELECT hash FROM value WHERE text LIKE '{"text":"xxx%')`),
  ],
  ['settings that are null', `INSERT OR IGNORE INTO value VALUES ('n', 'null'); ${row(`node_settings_hash = 'n'`)}`],
  ['an impossible owner', row(`owner_host = '', owner_pid = 9223372036854775807, lease_until = -1`)],
];

test.each(hidden)('with %s in one run, lists, reads and reuses the others', async (_, sql) => {
  db.exec(sql);
  expect((await engine.listRuns({ limit: 9 })).map((run) => run.number)).toEqual([5, 4, 3, 2, 1]);
  const isShared = sql.startsWith('DELETE FROM value');
  if (!isShared) await expectOthersToWork();
  else expect(await engine.latestOutput({ path: 'f.flow.yaml', nodeId: 'a' })).toBeUndefined();
});

async function expectOthersToWork(): Promise<void> {
  expect((await engine.readEvents(ids[1], -1, 5000)).at(-1)?.event.type).toBe('run:end');
  expect((await engine.listWaiting()).map((entry) => entry.number)).toEqual([4, 5]);
  expect(await engine.latestOutput({ path: 'f.flow.yaml', nodeId: 'a' })).toMatchObject({ output: { text: /x/ } });
  const plan = await engine.planRerun({ runId: ids[0], text: flow });
  expect(plan.map(({ fate }) => fate)).toEqual(['reused', 'reused']);
}

test('reading a damaged run results in an error that explains the problem and how to remove the run, and it can be deleted by its number', async () => {
  db.exec(log(`'{'`, first));
  await expect(engine.readEvents(ids[2], -1, 9)).rejects.toThrow(
    expect.objectContaining({
      code: 'store.unreadable',
      message: expect.stringMatching(/^Run #3 in .*runs\.db is damaged: .*`millrace runs delete 3`\.$/),
    }),
  );
  await expect(engine.rerunFrom({ runId: ids[2] })).rejects.toMatchObject({ code: 'store.unreadable' });
  await engine.deleteRun(await engine.findRun(3));
  expect((await engine.listRuns({ limit: 9 })).map((run) => [run.number, run.damage])).toEqual([
    [5, undefined],
    [4, undefined],
    [2, undefined],
    [1, undefined],
  ]);
});

const waiting = (assignment: string) => `UPDATE waiting SET ${assignment} WHERE run = 5`;

test.each([
  ['a request that is not JSON', waiting(`request = '{'`)],
  ['an empty request', waiting(`request = ''`)],
  ['a request of an unknown kind', waiting(`request = '{"kind":7}'`)],
  ['a request that is null', waiting(`request = 'null'`)],
])('with %s, the inbox lists the others and names the damaged run', async (_, sql) => {
  db.exec(sql);
  const entries = await engine.listWaiting();
  expect(entries.map((entry) => entry.number)).toEqual([4, 5]);
  expect(entries[0]?.message).toContain('Go on?');
  expect(entries[1]?.message).toContain('The stored request is damaged and cannot be answered');
  for (const { runId } of entries) expect(await engine.waiting(runId)).toHaveLength(1);
});

test.each([
  ['a time that is not a safe number', waiting('asked_at = 9223372036854775807')],
  ['a deadline that is not a safe number', waiting('deadline_at = 9223372036854775807')],
  ['a title that is empty', waiting(`title = ''`)],
])('with %s in one request, the inbox lists all requests', async (_, sql) => {
  db.exec(sql);
  expect((await engine.listWaiting()).map((entry) => entry.number).sort()).toEqual([4, 5]);
});
