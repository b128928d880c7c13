/** Tests processes that commands leave running when their program is really killed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { eventsOf, setUpBuiltCli } from '../testing/cli-fixture.ts';

const cli = setUpBuiltCli();

/** Returns whether a process runs. An ended one may still be a zombie. */
function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

test.skipIf(process.platform !== 'linux')(
  "lists leftover processes outside of the command's group when the run is resumed, and ends them only after consent",
  async () => {
    const detached = "setsid sh -c 'echo $$ > left.part; mv left.part left; exec sleep 1001' >/dev/null 2>&1 &";
    const line = `${detached} sleep 1002 & echo $! > near; while [ ! -e left ]; do sleep 0.01; done; echo "is ""ready"; wait`;
    const node = { id: 'a', type: 'command.run', config: { program: 'sh' }, input: { args: ['-c', line] } };
    cli.write('a.flow.yaml', JSON.stringify({ flow: { name: 'A' }, nodes: [node], edges: [] }));
    const started = cli.start(['run', 'a.flow.yaml', '--json', '--trust']);
    // Waits for output of the process itself, because events that contain its text are emitted before it starts.
    await started.whenPrinted('is ready');
    const runId = eventsOf((await cli.call(['runs', 'list', '--json'])).stdout)[0]?.runId ?? '';
    started.child.kill('SIGKILL');
    await started.result;
    const [left, near] = ['left', 'near'].map((name) => Number(readFileSync(join(cli.folder, name), 'utf8')));
    await expect.poll(() => isAlive(near ?? 0)).toBe(false);
    const named = `left processes running:\n- ${left}: sleep 1001\n`;
    const unasked = await cli.call(['--trust', 'resume', runId]);
    expect([unasked.code, unasked.stderr, isAlive(left ?? 0)]).toEqual([
      3,
      expect.stringContaining(`${named}They keep running. Add --yes to end them.`),
      true,
    ]);
    const agreed = await cli.call(['--trust', 'resume', runId, '--reject', '--yes']);
    expect([agreed.code, agreed.stderr]).toEqual([1, expect.stringContaining(`${named}The processes were ended.`)]);
    await expect.poll(() => isAlive(left ?? 0)).toBe(false);
    // The run has ended, so its processes are not listed again.
    expect((await cli.call(['--trust', 'resume', runId])).stderr).not.toContain('left processes');
  },
  // Starts five programs one after the other, which takes long on a busy machine.
  300_000,
);
