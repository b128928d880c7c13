/** Tests `runs prune` and `runs retention`. The base folder must not be in the workspace. */
import { beforeEach, describe, expect, test } from 'vitest';
import { setUpCli } from '../testing/cli-fixture.ts';
import type { CliResult } from '../testing/cli-program.ts';

const cli = setUpCli();
beforeEach(() => {
  cli.write(
    'ws/echo.flow.yaml',
    'flow: { name: Echo }\nnodes: [{ id: say, type: echo, input: { text: a } }]\nedges: []',
  );
});

function run(...args: readonly string[]): Promise<CliResult> {
  return cli.call([...args, '--workspace', 'ws']);
}

/** Runs a flow and returns the IDs of its runs, the oldest first. */
async function runEcho(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  while (ids.length < count) {
    const { stdout } = await run('run', 'ws/echo.flow.yaml', '--json');
    ids.push(JSON.parse(stdout.split('\n')[0] ?? '').runId);
  }
  return ids;
}

describe('runs prune', () => {
  test('lists the runs first, and deletes all but the newest ones of each flow', async () => {
    const [first, , last] = await runEcho(3);
    const dry = await run('runs', 'prune', '--keep', '2', '--dry-run');
    expect(dry.stdout.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual([first, '']);
    expect(dry.stderr).toBe('Without --dry-run, this deletes 1 run.\n');
    expect((await run('runs', 'prune', '--keep', '1')).stderr).toBe('Deleted 2 runs.\n');
    expect((await run('runs', 'prune', '--older-than', '1')).stderr).toBe('Deleted 0 runs.\n');
    expect((await run('runs', 'list')).stdout.split('\n').map((line) => line.split(/ {2,}/)[0])).toEqual([last, '']);
  });

  test('needs a rule', async () => {
    const { code, stderr } = await run('runs', 'prune');
    expect(code).toBe(2);
    expect(stderr).toContain('Add --older-than DAYS or --keep N, or set a rule with `millrace runs retention`.');
    expect((await run('runs', 'prune', '--keep', '0')).code).toBe(2);
  });
});

describe('runs retention', () => {
  const retention = (...args: readonly string[]) => run('runs', 'retention', ...args);

  test('sets the rule that runs prune applies, and shows it with what it selects', async () => {
    await runEcho(3);
    expect((await retention()).stdout).toMatch(/^All runs are kept\.\nThe history has 3 runs \(\d+\.\d MB\)\.\n$/);
    const { stdout } = await retention('--older-than', '90', '--keep', '1', '--yes');
    expect(stdout).toMatch(
      /^Deleted automatically: runs that ended more than 90 days ago, and all but the newest run of each flow\.\nThe history has 3 runs \(.*\)\.\nThe rule selects 2 runs now, the oldest from \d{4}-\d\d-\d\d\.\n$/,
    );
    const rule = { olderThanDays: 90, keepPerFlow: 1 };
    expect(JSON.parse((await retention('--json')).stdout)).toMatchObject({ rule, runs: 3, old: { runs: 2 } });
    expect((await run('runs', 'prune')).stderr).toBe('Deleted 2 runs.\n');
    expect((await retention('--keep-all')).stdout).toMatch(/^All runs are kept\.\nThe history has 1 run /);
    expect(JSON.parse((await retention('--json')).stdout)).toMatchObject({ rule: {} });
  });

  test('leaves the rule unless a person decides', async () => {
    const unasked = await retention('--keep', '1');
    expect(unasked.stderr).toContain('Only a person can decide this. Use a terminal, or add --yes.');
    expect((await retention('--keep', '1', '--keep-all', '--yes')).code).toBe(2);
    expect(JSON.parse((await retention('--json')).stdout)).toMatchObject({ rule: null });
  });
});
