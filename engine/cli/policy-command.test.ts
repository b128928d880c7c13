/** Tests policies on the command line. */
import path from 'node:path';
import { expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';
import type { CliResult } from '../testing/cli-program.ts';

const cli = setUpCli();

function run(...args: readonly string[]): Promise<CliResult> {
  return cli.call(args, { env: { MILLRACE_HOME: path.join(cli.folder, 'home') } });
}

const echo = 'flow: { name: F }\nnodes:\n  - { id: a, type: echo, input: { text: hi } }\nedges: []\n';

test('12.7 a run refused by a policy exits with 4, prints the rule and its line, and is in the history', async () => {
  cli.write('a.flow.yaml', echo);
  cli.write('millrace.policy.yaml', '\nmax_steps: 0\n');
  const { code, stdout } = await run('run', 'a.flow.yaml');
  expect(stdout).toContain(
    'refused: The flow has 1 nodes, but the limit is 0 (rule step_limit_exceeded, millrace.policy.yaml:2)',
  );
  expect(code).toBe(4);
  const { stdout: listed } = await run('runs', 'list');
  expect(listed).toContain('failed');
  const { stdout: shown, code: shownCode } = await run('runs', 'show', '1');
  expect(shown).toContain('step_limit_exceeded');
  expect(shownCode).toBe(0);
});

test('policy check prints the position of each problem, in one file or in all active ones', async () => {
  expect(await run('policy', 'check')).toMatchObject({ code: 0, stdout: 'No policies apply here.\n' });
  cli.write('p.yaml', 'max_steps: many\nblocked_tools: a\n');
  const bad = await run('policy', 'check', 'p.yaml');
  expect(bad.code).toBe(2);
  expect(bad.stderr).toMatch(/^p\.yaml:1:12: max_steps must be .*\np\.yaml:2:16: blocked_tools must be /);
  cli.write('millrace.policy.yaml', 'max_steps: 1\n');
  expect(await run('policy', 'check')).toMatchObject({ code: 0, stdout: expect.stringContaining(': valid') });
  expect((await run('policy', 'check', 'missing.yaml')).code).toBe(2);
});

test('13.1 policy check warns about keys that have no effect in an untrusted workspace, and exits with 0', async () => {
  cli.write('millrace.policy.yaml', 'max_steps: 9\nallow_full_autonomy: true\n');
  cli.write('products/shop/policy.yaml', 'effects: { web: allow }\n');
  const all = await run('policy', 'check');
  expect(all.code).toBe(0);
  expect(all.stdout).toContain('millrace.policy.yaml: valid');
  expect(all.stderr).toContain('millrace.policy.yaml:2:1: warning: `allow_full_autonomy: true` has no effect');
  expect(all.stderr).toContain('products/shop/policy.yaml:1:1: warning: `effects.web: allow` has no effect');
  const one = await run('policy', 'check', 'millrace.policy.yaml', '--json');
  expect([one.code, JSON.parse(one.stdout)]).toMatchObject([
    0,
    { file: 'millrace.policy.yaml', severity: 'warning', line: 2 },
  ]);
  // A file elsewhere with the same text is not the policy of this workspace.
  cli.write('p.yaml', 'allow_full_autonomy: true\n');
  expect(await run('policy', 'check', 'p.yaml')).toMatchObject({ code: 0, stdout: 'p.yaml: valid\n', stderr: '' });
});

test('policy try reports what a policy would have refused, and runs nothing', async () => {
  cli.write('a.flow.yaml', echo);
  expect((await run('run', 'a.flow.yaml')).code).toBe(0);
  cli.write('p.yaml', 'max_steps: 0\n');
  const tried = await run('policy', 'try', 'p.yaml');
  expect(tried.stdout).toMatch(/^F · .*\n\d+: The run would take step 1, but the limit is 0/);
  cli.write('p.yaml', 'max_steps: 9\n');
  const nothing = await run('policy', 'try', 'p.yaml');
  expect(nothing).toMatchObject({ code: 0, stdout: 'Nothing in the runs of the history would have been denied.\n' });
});
