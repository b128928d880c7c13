import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, test } from 'vitest';
import { endLeftProcesses, leftProcessesOf, markOf } from './left-processes.ts';
import { commandMark } from './process-tree.ts';

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
});

async function startMarked(mark: string | undefined): Promise<ChildProcess> {
  const env = { PATH: process.env['PATH'], ...(mark === undefined ? {} : { [commandMark]: mark }) };
  const child = spawn('sleep', ['1003'], { env, stdio: 'ignore' });
  children.push(child);
  await once(child, 'spawn');
  return child;
}

describe.skipIf(process.platform !== 'linux')('processes left by commands of a run', () => {
  test('are those with the mark of one of its runs, matching the whole run id', async () => {
    const own = await startMarked(markOf('20261127-1-aaa'));
    const called = await startMarked(markOf('20261127-2-bbb'));
    await startMarked(markOf('20261127-1-aaab'));
    await startMarked(markOf(undefined));
    await startMarked('20261127-1-aaa');
    await startMarked('x20261127-1-aaa.1');
    await startMarked(undefined);
    const found = leftProcessesOf(new Set(['20261127-1-aaa', '20261127-2-bbb']));
    expect(found.map(({ pid, command }) => [pid, command]).sort()).toEqual(
      [own.pid, called.pid].map((pid) => [pid, 'sleep 1003']).sort(),
    );
    expect(leftProcessesOf(new Set())).toEqual([]);
  });

  test('are ended only if they are the ones that a person was shown, and belong to that run', async () => {
    const mark = markOf('20261127-3-ccc');
    const [shown, later, other] = [
      await startMarked(mark),
      await startMarked(mark),
      await startMarked(markOf('20261127-4-ddd')),
    ];
    const runs = new Set(['20261127-3-ccc']);
    const all = leftProcessesOf(new Set([...runs, '20261127-4-ddd']));
    const of = (child: ChildProcess) => all.filter(({ pid }) => pid === child.pid);
    const ended = once(shown, 'exit');
    const reused = of(later).map((one) => ({ ...one, start: '1' }));
    const stranger = { pid: process.pid, start: '1', command: 'x' };
    endLeftProcesses(runs, [...of(shown), ...reused, ...of(other), stranger]);
    expect(await ended).toEqual([null, 'SIGKILL']);
    expect([later.exitCode ?? later.signalCode, other.exitCode ?? other.signalCode]).toEqual([null, null]);
  });
});
