/** Tests that a person can list and undo what a run has changed, with real files, flows and scripts. */
import { chmodSync, existsSync, lstatSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createUndoWorkspace, lua, outcomes, type UndoWorkspace, write } from './test-undo-workspace.ts';

let at: UndoWorkspace;
beforeEach(async () => {
  at = await createUndoWorkspace();
});
afterEach(() => at.close());

describe('a run', () => {
  test('is undone with all that its nodes, scripts and tools have changed', async () => {
    at.put('kept.txt', 'kept');
    at.put('changed.txt', 'one\n');
    at.put('added.txt', 'start\n');
    at.put('gone.bin', new Uint8Array([0, 1, 255]));
    at.put('old/name.txt', 'moved');
    at.put('folder/a.txt', 'a');
    at.put('folder/b/c.txt', 'c');
    chmodSync(at.put('tool.sh', '#!/bin/sh\n'), 0o755);
    const runId = await at.runNodes([
      write('changed.txt', 'two\n'),
      write('changed.txt', 'three\n'),
      write('added.txt', 'end\n', 'append'),
      write('new/deep/file.txt', 'new'),
      { type: 'tool', input: { path: 'tool.sh', text: 'none' }, config: { tool: 'core.file_write' } },
      lua(`aip.file.delete("gone.bin")
        aip.file.move("old/name.txt", "new/name.txt")
        aip.file.move("folder", "taken")
        aip.file.copy("kept.txt", "copied.txt")
        aip.file.ensure_dir("empty/folder")
        aip.zip.create("taken", "packed.zip")
        aip.zip.extract("packed.zip", "unpacked")
        aip.file.save("kept.txt", "kept")`),
    ]);
    expect(await at.listed(runId)).toEqual([
      'changed changed.txt as-left',
      'changed added.txt as-left',
      'created new/deep/file.txt as-left',
      'changed tool.sh as-left',
      'deleted gone.bin as-left',
      'deleted old/name.txt as-left',
      'created new/name.txt as-left',
      'deleted folder/a.txt as-left',
      'created taken/a.txt as-left',
      'deleted folder/b/c.txt as-left',
      'created taken/b/c.txt as-left',
      'created copied.txt as-left',
      'created empty/folder as-left',
      'created packed.zip as-left',
      'created unpacked/a.txt as-left',
      'created unpacked/b/c.txt as-left',
    ]);
    expect((await at.changes(runId)).find(({ path }) => path === 'new/name.txt')?.movedFrom).toBe('old/name.txt');
    expect(await at.engine.readChangedFile({ runId, path: 'changed.txt' })).toEqual({
      before: 'one\n',
      now: 'three\n',
      isText: true,
    });
    expect((await at.engine.readChangedFile({ runId, path: 'gone.bin' })).isText).toBe(false);

    const { undoId, files } = await at.undo(runId);
    expect(new Set(files.map(({ outcome }) => outcome))).toEqual(new Set(['restored', 'removed']));
    expect([at.read('changed.txt'), at.read('added.txt'), at.read('old/name.txt')]).toEqual([
      'one\n',
      'start\n',
      'moved',
    ]);
    expect([at.read('folder/a.txt'), at.read('folder/b/c.txt')]).toEqual(['a', 'c']);
    expect([...readFileSync(at.file('gone.bin'))]).toEqual([0, 1, 255]);
    expect([at.read('tool.sh'), lstatSync(at.file('tool.sh')).mode & 0o777]).toEqual(['#!/bin/sh\n', 0o755]);
    expect(readdirSync(at.file('.')).sort()).toEqual(
      [
        '.millrace',
        'added.txt',
        'changed.txt',
        'f.flow.yaml',
        'folder',
        'gone.bin',
        'kept.txt',
        'old',
        'tool.sh',
      ].sort(),
    );
    expect(await outcomes(at.undo(runId))).toMatchObject({ 'changed.txt': 'unchanged', 'new/name.txt': 'unchanged' });

    const { undos } = await at.engine.changedFiles(runId);
    expect(undos).toMatchObject([{ id: undoId }]);
    if (undoId === undefined) throw new Error('It changed nothing.');
    expect((await at.engine.changedFiles(undoId)).undoOf).toBe(runId);
    await at.undo(undoId);
    expect([at.read('changed.txt'), at.read('new/name.txt'), at.read('taken/b/c.txt')]).toEqual([
      'three\n',
      'moved',
      'c',
    ]);
    expect(existsSync(at.file('gone.bin')) || existsSync(at.file('folder'))).toBe(false);
  });

  test('leaves a file alone that has changed since, unless a person has seen its content', async () => {
    at.put('a.txt', 'one');
    at.put('b.txt', 'one');
    const runId = await at.runNodes([
      write('a.txt', 'two'),
      write('b.txt', 'two'),
      write('c.txt', 'new'),
      write('d.txt', 'd'),
    ]);
    at.put('a.txt', 'mine');
    rmSync(at.file('b.txt'));
    at.put('c.txt', 'mine');
    rmSync(at.file('d.txt'));
    expect(await at.listed(runId)).toEqual([
      'changed a.txt changed-since',
      'changed b.txt changed-since',
      'created c.txt changed-since',
      'created d.txt put-back',
    ]);
    expect(await outcomes(at.undo(runId))).toEqual({
      ...{ 'a.txt': 'changed-since', 'b.txt': 'changed-since' },
      ...{ 'c.txt': 'changed-since', 'd.txt': 'unchanged' },
    });
    expect([at.read('a.txt'), existsSync(at.file('b.txt')), at.read('c.txt')]).toEqual(['mine', false, 'mine']);
    const seen = (await at.changes(runId)).map(({ path, now }) => ({ path, over: now }));
    at.put('c.txt', 'mine again');
    expect(await outcomes(at.engine.undoFiles({ runId, files: seen }))).toMatchObject({
      ...{ 'a.txt': 'restored', 'b.txt': 'restored', 'c.txt': 'changed-since' },
    });
    expect([at.read('a.txt'), at.read('b.txt'), at.read('c.txt')]).toEqual(['one', 'one', 'mine again']);
  });

  test('includes its child runs, and is not undone with its rerun', async () => {
    at.put(
      'called.flow.yaml',
      JSON.stringify({ flow: { name: 'C' }, nodes: [{ id: 'w', ...write('c.txt', 'two') }], edges: [] }),
    );
    at.put('c.txt', 'one');
    const runId = await at.runNodes([{ type: 'flow', input: { flow: 'called.flow.yaml' } }]);
    expect(await at.listed(runId)).toEqual(['changed c.txt as-left']);
    at.put('c.txt', 'between');
    const again = await at.engine.rerunFrom({ runId, nodeId: 'n0' });
    await at.engine.whenEnded(again.runId);
    expect([at.read('c.txt'), await at.listed(runId)]).toEqual(['two', ['changed c.txt as-left']]);
    await at.undo(again.runId);
    expect(at.read('c.txt')).toBe('between');
  });

  test('lists what cannot be undone', async () => {
    at.write('outside.txt', 'x');
    const runId = await at.runNodes([
      { type: 'command.run', config: { program: 'true' }, input: {} },
      lua(`aip.file.save("${at.at('outside.txt')}", "y")`),
      lua('aip.cmd.exec("true") aip.cmd.exec("true")'),
    ]);
    const { files, outside } = await at.engine.changedFiles(runId);
    expect({ files, outside }).toEqual({ files: [], outside: [at.at('outside.txt')] });
    expect(await at.engine.unlistedEffects(runId)).toEqual([{ kind: 'command', target: 'true', count: 3 }]);
  });

  test('that writes nothing, or has its history in memory, leaves nothing behind', async () => {
    await at.runNodes([lua('return aip.file.exists("x")')]);
    await at.runNodes([write('x.txt', 'x')], await at.open({ storeFile: ':memory:' }));
    expect(existsSync(at.file('.millrace/undo'))).toBe(false);
  });

  test('is listed as long as it is in the history', async () => {
    const runId = await at.runNodes([write('x.txt', 'x')]);
    const { undoId } = await at.undo(runId);
    expect(readdirSync(at.file('.millrace/undo')).sort()).toEqual([runId, undoId].sort());
    await at.engine.deleteRun(runId);
    expect(readdirSync(at.file('.millrace/undo'))).toEqual([]);
    await expect(at.engine.changedFiles(runId)).rejects.toMatchObject({ code: 'run.not-found' });
  });
});
