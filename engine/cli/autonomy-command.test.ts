import { describe, expect, test } from 'vitest';
import { eventsOf, setUpCli } from '../testing/cli-fixture.ts';

const cli = setUpCli();

function writeFlow(level?: string): void {
  const policy = level === undefined ? '' : `, policy: { autonomy: ${level} }`;
  cli.write(
    'act.flow.yaml',
    `flow: { name: Act${policy} }
nodes:
  - { id: write, type: file.write, input: { path: out.txt, text: hi } }
edges: []
`,
  );
}

describe('millrace run --autonomy', () => {
  test('lowers the level declared by a flow, and a waiting run is approved by another call', async () => {
    writeFlow();
    const { code, stdout } = await cli.call(['run', 'act.flow.yaml', '--autonomy', 'semi_auto', '--json']);
    expect([code, eventsOf(stdout)[0]?.event]).toEqual([3, expect.objectContaining({ autonomy: 'semi_auto' })]);
    const resumed = await cli.call(['resume', '1', '--approve']);
    expect(resumed.code).toBe(0);
  });

  test('does not raise the level, and prints a warning', async () => {
    writeFlow('suggest_only');
    const { code, stdout, stderr } = await cli.call(['run', 'act.flow.yaml', '--autonomy', 'full_auto', '--json']);
    expect(code).toBe(0);
    expect(stderr).toContain('it runs at suggest_only');
    expect(eventsOf(stdout).map(({ event }) => event)).toContainEqual(
      expect.objectContaining({ type: 'node:skipped', reason: 'autonomy' }),
    );
  });

  test('13.16 a run that only makes suggestions lists them at its end', async () => {
    writeFlow('suggest_only');
    const { code, stdout } = await cli.call(['run', 'act.flow.yaml']);
    expect(code).toBe(0);
    expect(stdout).toContain('Suggested, not done:\n  write: {"path":"out.txt","text":"hi"}\n');
  });

  test('MF-092 a run that acts without asking is rejected with exit code 4 unless a policy allows it', async () => {
    writeFlow('full_auto');
    const refused = await cli.call(['run', 'act.flow.yaml', '--json']);
    expect([refused.code, eventsOf(refused.stdout).map(({ event }) => event.type)]).toEqual([4, ['run:refused']]);
    cli.write('millrace.policy.yaml', 'allow_full_autonomy: true\n');
    expect((await cli.call(['run', 'act.flow.yaml', '--trust'])).code).toBe(0);
    const untrusted = await cli.call(['run', 'act.flow.yaml']);
    expect([untrusted.code, untrusted.stdout]).toEqual([4, expect.stringContaining('Trust the workspace')]);
  });

  test('rejects invalid levels, and agents', async () => {
    writeFlow();
    cli.write('a.aip', '# Data\n```lua\nreturn 1\n```\n');
    expect((await cli.call(['run', 'act.flow.yaml', '--autonomy', 'much'])).code).toBe(2);
    const agent = await cli.call(['run', 'a.aip', '--autonomy', 'semi_auto']);
    expect([agent.code, agent.stderr]).toEqual([2, expect.stringContaining('--autonomy is for flows')]);
  });
});

describe('millrace simulate', () => {
  test('prints where a run would have paused, as text and JSON', async () => {
    writeFlow();
    await cli.call(['run', 'act.flow.yaml']);
    const said = await cli.call(['simulate', '1', '--autonomy', 'semi_auto']);
    expect(said).toMatchObject({ code: 0, stdout: expect.stringMatching(/would have paused once\. It ran without/) });
    expect(said.stdout).toContain('pauses at write: {"path":"out.txt"');
    const { stdout } = await cli.call(['simulate', '1', '--autonomy', 'suggest_only', '--json']);
    expect(JSON.parse(stdout)).toMatchObject({
      level: 'suggest_only',
      suggestions: 1,
      acts: [{ kind: 'suggestion', nodeId: 'write', params: { path: 'out.txt', text: 'hi' } }],
    });
  });

  test('fails without a level, and for a missing run', async () => {
    writeFlow();
    expect((await cli.call(['simulate', '1'])).code).toBe(2);
    expect((await cli.call(['simulate', '7', '--autonomy', 'semi_auto'])).code).toBe(2);
  });
});
