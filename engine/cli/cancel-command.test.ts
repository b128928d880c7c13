/** Tests `millrace cancel` with runs of other processes. */
import { describe, expect, test } from 'vitest';
import { eventsOf, setUpBuiltCli } from '../testing/cli-fixture.ts';
import type { StartedCli } from '../testing/cli-program.ts';

const cli = setUpBuiltCli();

const slow = 'flow: { name: Slow }\nnodes: [{ id: w, type: control.wait, input: { ms: 600000 } }]\nedges: []';
const pay = 'flow: { name: Pay }\nnodes: [{ id: ask, type: human_approval, input: { title: "Pay Kim?" } }]\nedges: []';
const quick = 'flow: { name: Quick }\nnodes: [{ id: say, type: echo, input: { text: hi } }]\nedges: []';

/** Starts a run that waits for ten minutes, and resolves when it waits. */
async function startSlow(): Promise<StartedCli> {
  cli.write('slow.flow.yaml', slow);
  const started = cli.start(['run', 'slow.flow.yaml', '--json']);
  await started.whenPrinted('task:start');
  return started;
}

function lastEventOf(stdout: string): unknown {
  return eventsOf(stdout).at(-1)?.event;
}

describe('13.14 millrace cancel', () => {
  test('13.14 cancels a run of another process and waits for its end; a second call finds it canceled', async () => {
    const started = await startSlow();
    const canceled = await cli.run(['cancel', '#1']);
    expect(canceled).toEqual({ code: 0, stdout: '', stderr: 'Canceled run #1.\n' });
    const { code, stdout } = await started.result;
    expect({ code, last: lastEventOf(stdout) }).toMatchObject({
      code: 130,
      last: { type: 'run:end', status: 'cancelled' },
    });
    const again = await cli.run(['cancel', 'latest', '--json']);
    expect({ code: again.code, run: JSON.parse(again.stdout) }).toMatchObject({
      code: 0,
      run: { number: 1, status: 'cancelled' },
    });
    expect((await cli.run(['cancel', '1'])).stderr).toBe('Run #1 was already canceled.\n');
  });

  test('13.14 two simultaneous cancels of one run both report that it is canceled', async () => {
    const started = await startSlow();
    const both = await Promise.all([cli.run(['cancel', '1']), cli.run(['cancel', '1'])]);
    for (const { code, stderr } of both) {
      expect(code).toBe(0);
      expect(stderr).toMatch(/^(Canceled run #1|Run #1 was already canceled)\.\n$/);
    }
    const { stdout } = await started.result;
    expect(eventsOf(stdout).filter(({ event }) => event.type === 'run:end')).toHaveLength(1);
  });

  test('13.14 ends the run of a killed process, also if it is killed while the request is open', async () => {
    const killed = await startSlow();
    killed.child.kill('SIGKILL');
    await killed.result;
    expect(await cli.run(['cancel', 'latest'])).toMatchObject({ code: 0, stderr: 'Canceled run #1.\n' });

    const stopped = await startSlow();
    stopped.child.kill('SIGSTOP');
    const canceling = cli.start(['cancel', 'latest']);
    await expect.poll(() => cli.run(['runs', 'list']).then(({ stdout }) => stdout)).toContain('running');
    stopped.child.kill('SIGKILL');
    expect(await canceling.result).toMatchObject({ code: 0, stderr: expect.stringContaining('Canceled run #2.\n') });
    await stopped.result;
    const { stdout } = await cli.run(['runs', 'list']);
    expect(stdout.match(/cancelled/g)).toHaveLength(2);
  });

  test('13.14 ends a run that waits for a person, and refuses one that has ended', async () => {
    expect(await cli.run(['cancel', 'latest'])).toMatchObject({
      code: 2,
      stderr: 'millrace: There are no runs in this workspace yet.\n',
    });
    cli.write('pay.flow.yaml', pay);
    expect((await cli.run(['run', 'pay.flow.yaml'])).code).toBe(3);
    expect(await cli.run(['cancel', 'latest'])).toMatchObject({ code: 0, stderr: 'Canceled run #1.\n' });
    expect((await cli.run(['inbox', '--json'])).stdout).toBe('');
    cli.write('quick.flow.yaml', quick);
    expect((await cli.run(['run', 'quick.flow.yaml'])).code).toBe(0);
    expect(await cli.run(['cancel', 'latest'])).toEqual({
      code: 2,
      stdout: '',
      stderr: 'millrace: Run #2 had already ended (completed).\n',
    });
    expect((await cli.run(['cancel', '7'])).code).toBe(2);
  });
});
