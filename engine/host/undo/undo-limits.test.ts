/** Tests that an undo changes only what it may, and that copies stay within their limits. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock } from '../../testing/manual-clock.ts';
import { createUndoWorkspace, lua, outcomes, type UndoWorkspace, write } from './test-undo-workspace.ts';

let at: UndoWorkspace;
beforeEach(async () => {
  at = await createUndoWorkspace();
});
afterEach(() => at.close());

describe('an undo', () => {
  test('never leaves the workspace or follows links, whatever the list contains', async () => {
    at.put('sub/a.txt', 'one');
    at.write('outside/a.txt', 'safe');
    const runId = await at.runNodes([write('sub/a.txt', 'two'), write('b.txt', 'b')]);
    const log = at.file(`.millrace/undo/${runId}/changes.jsonl`);
    const hash = /"hash":"(\w{64})"/.exec(readFileSync(log, 'utf8'))?.[1];
    const paths = ['../outside/a.txt', '.git/hooks/x', '.millrace/.env', at.at('outside/a.txt'), 'link/a.txt'];
    const forged = paths.map((path) =>
      JSON.stringify({ path, before: { kind: 'file', bytes: 3, mode: 511, hash }, at: 1 }),
    );
    writeFileSync(log, `${readFileSync(log, 'utf8')}${forged.join('\n')}\nnonsense\n{"path":`);
    renameSync(at.file('sub'), at.at('moved'));
    symlinkSync(at.at('moved'), at.file('sub'));
    symlinkSync(at.at('outside'), at.file('link'));
    rmSync(at.file('b.txt'));
    symlinkSync(at.at('outside/a.txt'), at.file('b.txt'));
    const files = (await at.changes(runId)).map(({ path, now }) => ({ path, over: now }));
    expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['sub/a.txt', 'b.txt', ...paths]));
    const undone = await at.engine.undoFiles({ runId, files });
    expect(new Set(undone.files.map(({ outcome }) => outcome))).toEqual(new Set(['failed']));
    expect([readFileSync(at.at('moved/a.txt'), 'utf8'), readFileSync(at.at('outside/a.txt'), 'utf8')]).toEqual([
      'two',
      'safe',
    ]);
    expect(existsSync(at.file('.git'))).toBe(false);
  });

  test('needs an intact copy', async () => {
    at.put('a.txt', 'one');
    at.put('b.txt', 'two');
    const runId = await at.runNodes([write('a.txt', 'x'), write('b.txt', 'x')]);
    const folder = at.file(`.millrace/undo/${runId}`);
    const [first = '', second = ''] = [
      ...readFileSync(`${folder}/changes.jsonl`, 'utf8').matchAll(/"before":.*"hash":"(\w+)"/g),
    ].map(([, hash]) => hash ?? '');
    writeFileSync(`${folder}/${first}`, 'bad');
    rmSync(`${folder}/${second}`);
    expect(await at.listed(runId)).toEqual(['changed a.txt as-left', 'changed b.txt as-left lost']);
    expect((await at.undo(runId)).files).toMatchObject([
      { outcome: 'failed', message: 'There is no copy of a.txt from before the run.' },
      { outcome: 'failed', message: 'There is no copy of b.txt from before the run.' },
    ]);
    expect([at.read('a.txt'), at.read('b.txt')]).toEqual(['x', 'x']);
  });

  test('handles files that have become folders, and folders that have become files', async () => {
    at.put('one', 'file');
    at.put('two/a.txt', 'a');
    const runId = await at.runNodes([
      lua('aip.file.delete("one") aip.file.save("one/x.txt", "x") aip.file.delete("two") aip.file.save("two", "file")'),
    ]);
    expect(await outcomes(at.engine.undoFiles({ runId, files: [{ path: 'two/a.txt' }, { path: 'one' }] }))).toEqual({
      'two/a.txt': 'failed',
      one: 'failed',
    });
    await at.undo(runId);
    expect([at.read('one'), at.read('two/a.txt')]).toEqual(['file', 'a']);
  });

  test('waits for the end of the run', async () => {
    const approval = { type: 'human_approval', input: { message: 'Go on?' } };
    const text = JSON.stringify({
      flow: { name: 'F' },
      nodes: [
        { id: 'w', ...write('x.txt', 'x') },
        { id: 'a', ...approval },
      ],
      edges: [{ from: 'w', to: 'a' }],
    });
    const { runId } = await at.engine.startRun({ path: 'f.flow.yaml', text, inputs: {} });
    await at.engine.whenEnded(runId);
    expect(await at.listed(runId)).toEqual(['created x.txt as-left']);
    await expect(at.undo(runId)).rejects.toMatchObject({ code: 'run.invalid-state' });
    expect(at.read('x.txt')).toBe('x');
  });
});

describe('copies', () => {
  test('stay within their limits, the oldest going first, and a file that does not fit is listed without one', async () => {
    const clock = createManualClock();
    const engine = await at.open({ clock });
    expect(await engine.readUndoLimits()).toEqual({ megabytes: 256, days: 30, bytes: 0 });
    await engine.setUndoLimits({ megabytes: 1, days: 2 });
    mkdirSync(at.file('data'));
    for (const name of ['a', 'b', 'c']) at.put(`data/${name}`, name.repeat(400_000));
    at.put('data/big', '');
    truncateSync(at.file('data/big'), 2_000_000);
    const first = await at.runNodes([write('data/a', '1'), write('data/big', '1')], engine);
    const second = await at.runNodes([write('data/b', '1')], engine);
    expect(await at.listed(first)).toEqual(['changed data/a as-left', 'changed data/big as-left lost']);
    const third = await at.runNodes([write('data/c', '1')], engine);
    expect(await at.listed(first)).toEqual(['changed data/a as-left lost', 'changed data/big as-left lost']);
    expect([await at.listed(second), await at.listed(third)]).toEqual([
      ['changed data/b as-left'],
      ['changed data/c as-left'],
    ]);
    await clock.advance(Date.now() - clock.now() + 3 * 86_400_000);
    await engine.setUndoLimits({ megabytes: 1, days: 2 });
    expect(await engine.changedFiles(second)).toMatchObject({ files: [], isExpired: true });
    expect(readdirSync(at.file('.millrace/undo'))).toEqual([]);
  });

  test('of an active run stay', async () => {
    await at.engine.setUndoLimits({ megabytes: 1, days: 2 });
    for (const name of ['a', 'b', 'c']) at.put(name, name.repeat(400_000));
    const runId = await at.runNodes([write('a', '1'), write('b', '1'), write('c', '1')]);
    expect(await at.listed(runId)).toEqual(['changed a as-left', 'changed b as-left', 'changed c as-left lost']);
  });

  test('are counted: those of earlier programs, new ones, and without those of deleted runs', async () => {
    const size = async (engine = at.engine): Promise<number> => (await engine.readUndoLimits()).bytes;
    at.put('a', 'a'.repeat(1_000));
    at.put('b', 'b'.repeat(200));
    at.put('c', 'c'.repeat(30));
    const first = await at.runNodes([write('a', '1'), write('new', '1')]);
    expect(await size()).toBe(1_000);
    await at.runNodes([write('b', '1')]);
    expect(await size()).toBe(1_200);
    const later = await at.open();
    expect(await size(later)).toBe(1_200);
    await at.runNodes([write('c', '1')], later);
    await later.deleteRun(first);
    expect(await size(later)).toBe(230);
    await later.setUndoLimits({ megabytes: 0, days: 30 });
    expect(await size(later)).toBe(0);
  });
});
