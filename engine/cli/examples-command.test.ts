import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { setUpBuiltCli } from '../testing/cli-fixture.ts';

const cli = setUpBuiltCli();

test('examples lists the examples, and copies one that then runs', async () => {
  const listed = await cli.call(['examples']);
  expect(listed).toMatchObject({ code: 0, stderr: '' });
  expect(listed.stdout).toMatch(/^weekly-digest {2}Write a weekly digest · operations\n {2}A model summarizes /m);
  const copied = await cli.call(['examples', 'copy', 'weekly-digest']);
  expect(copied).toMatchObject({ code: 0, stderr: '' });
  expect(copied.stdout).toContain('Wrote weekly-digest/notes/01-backups.md\n');
  const run = 'millrace run weekly-digest/digest.flow.yaml';
  expect(copied.stdout.endsWith(`\nTo run it: ${run}\n`)).toBe(true);
  expect((await cli.call(run.split(' ').slice(1))).code).toBe(0);
  expect(existsSync(path.join(cli.folder, 'weekly-digest/out/digest.md'))).toBe(true);
  const again = await cli.call(['examples', 'copy', 'weekly-digest', '--json']);
  expect(JSON.parse(again.stdout)).toEqual({ path: 'weekly-digest/digest.flow.yaml', files: [], run });
  expect(await cli.call(['examples', 'copy', '../workspace'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('does not exist. Choose one of: '),
  });
});

test('the built program finds the examples', async () => {
  const { stdout } = await cli.run(['examples', 'list', '--json']);
  expect(stdout).toContain('"id":"weekly-digest"');
});
