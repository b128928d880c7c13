/**
 * Tests a damaged run on the command line: it is listed with its problem, shown as an error, and deleted by its number.
 */
import path from 'node:path';
import { expect, test } from 'vitest';
import { openDb } from '../history/store/db.ts';
import { setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

async function damage(sql: string): Promise<void> {
  const db = await openDb(path.join(cli.folder, '.millrace/runs.db'));
  db.exec(`PRAGMA foreign_keys = OFF; ${sql}`);
  db.close();
}

async function runThrice(): Promise<void> {
  cli.write('a.flow.yaml', 'flow: { name: A }\nnodes: [{ id: say, type: echo, input: { text: hi } }]\nedges: []');
  for (let count = 0; count < 3; count++) await cli.call(['run', 'a.flow.yaml']);
}

test.each([
  ['inputs that are not JSON', `UPDATE run SET inputs = '{' WHERE id = 2`, 'its inputs are not valid JSON'],
  ['an unknown status', `UPDATE run SET status = 'odd' WHERE id = 2`, 'its status is unknown'],
  ['damaged events', `UPDATE event_group SET json = '{' WHERE id >> 32 = 2`, 'its first events are damaged'],
])('a run with %s is listed with a working command that removes it', async (_, sql, what) => {
  await runThrice();
  await damage(sql);
  const { code, stdout } = await cli.call(['runs', 'list']);
  const lines = stdout.trimEnd().split('\n');
  expect([code, lines.length]).toEqual([0, 3]);
  expect(lines[1]).toContain(`damaged: ${what}. To remove it: millrace runs delete 2`);
  expect(lines.filter((line) => line.includes('damaged'))).toHaveLength(1);
  expect((await cli.call(['runs', 'show', '3'])).code).toBe(0);
  expect((await cli.call(['rerun', '3', '--plan'])).stdout).toContain('reused');
  expect((await cli.call(['redo', '2'])).stderr).toMatch(/Run #2 in .* is damaged: .*`millrace runs delete 2`/);
  expect(await cli.call(['runs', 'delete', '2'])).toMatchObject({ code: 0, stderr: 'Deleted run #2.\n' });
  expect((await cli.call(['runs', 'list'])).stdout).not.toContain('damaged');
});
