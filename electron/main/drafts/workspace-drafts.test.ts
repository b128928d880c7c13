import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { testRounds } from '../../../engine/testing/test-rounds.ts';
import { type EditStep, takeStep } from '../../ipc/edit-log.ts';
import { createDraftsFixture, createUser, type DraftsFixture, insert, logFrom } from './test-drafts.ts';
import { history, tellableOf } from './test-random-steps.ts';

const path = 'flows/a.yaml';

let fixture: DraftsFixture;

beforeEach(() => {
  fixture = createDraftsFixture();
});

afterEach(() => fixture.remove());

describe('one window', () => {
  test('receives a file without a journal as it is on disk, and nothing is written', () => {
    const opened = fixture.here().open(createUser(), { path, diskText: 'disk' });
    expect(opened).toEqual({ baseText: 'disk', steps: [], version: 0 });
    expect(fixture.files('drafts')).toEqual([]);
  });

  test('restores text, undo and redo after the program was killed', () => {
    const user = createUser();
    fixture.here().open(user, { path, diskText: 'c' });
    expect(fixture.here().step(user, { path, base: 0, steps: [insert('b'), insert('a')] })).toEqual({
      accepted: true,
      version: 2,
    });
    fixture.here().step(user, { path, base: 2, steps: [{ do: 'undo' }] });

    const opened = fixture.restart().open(createUser(), { path, diskText: 'c' });
    const log = logFrom(opened);
    expect([log.text, log.savedText, log.applied, log.entries.length]).toEqual(['bc', 'c', 1, 2]);
    expect(log.version).toBe(opened.version);
  });

  test('restores the same log after any edits and any number of restarts', { timeout: 30_000 }, () => {
    fc.assert(
      fc.property(history, fc.array(fc.nat(30)), ({ baseText, steps, log }, restarts) => {
        const own = createDraftsFixture();
        try {
          let diskText = baseText;
          let user = createUser();
          let { version } = own.here().open(user, { path, diskText });
          for (const [index, step] of steps.entries()) {
            const answer = own.here().step(user, { path, base: version, steps: [step] });
            expect(answer.accepted).toBe(true);
            version = answer.version;
            diskText = logFrom(own.here().open(createUser(), { path, diskText })).savedText;
            if (!restarts.includes(index)) continue;
            user = createUser();
            ({ version } = own.restart().open(user, { path, diskText }));
          }
          const opened = own.restart().open(createUser(), { path, diskText });
          expect(tellableOf(logFrom(opened))).toEqual(tellableOf(log));
        } finally {
          own.remove();
        }
      }),
      { numRuns: testRounds(60) },
    );
  });

  test('receives an error for edits that do not fit, none is applied, and it can continue', () => {
    const user = createUser();
    fixture.here().open(user, { path, diskText: 'c' });
    const step = (second: EditStep) => fixture.here().step(user, { path, base: 0, steps: [insert('a'), second] });
    expect(() => step({ do: 'edit', label: 'x', at: 0, edits: [{ start: 9, end: 9, text: 'x' }] })).toThrow(
      expect.objectContaining({ code: 'draft.bad-step' }),
    );
    expect(step(insert('b')).version).toBe(2);
    expect(logFrom(fixture.restart().open(user, { path, diskText: 'c' })).text).toBe('bac');
  });

  test('cannot edit a file that it has not opened or has closed', () => {
    const user = createUser();
    const step = () => fixture.here().step(user, { path, base: 0, steps: [insert('a')] });
    expect(step).toThrow(expect.objectContaining({ code: 'draft.not-open' }));
    fixture.here().open(user, { path, diskText: '' });
    fixture.here().close(user, path);
    expect(step).toThrow(expect.objectContaining({ code: 'draft.not-open' }));
  });

  test('cannot be ahead of main', () => {
    const user = createUser();
    fixture.here().open(user, { path, diskText: '' });
    expect(() => fixture.here().step(user, { path, base: 3, steps: [insert('a')] })).toThrow(
      expect.objectContaining({ code: 'draft.out-of-step' }),
    );
  });
});

describe('two windows on one file', () => {
  test('a window that is behind receives the steps it missed and applies its own after them', () => {
    const [first, second] = [createUser(), createUser()];
    fixture.here().open(first, { path, diskText: '' });
    fixture.here().open(second, { path, diskText: '' });
    fixture.here().step(first, { path, base: 0, steps: [insert('a')] });
    expect(second.heard).toEqual([{ path, base: 0, steps: [insert('a')] }]);
    expect(fixture.here().step(second, { path, base: 0, steps: [insert('b')] })).toEqual({
      accepted: false,
      version: 1,
      steps: [insert('a')],
    });
    expect(fixture.here().step(second, { path, base: 1, steps: [insert('b')] })).toEqual({
      accepted: true,
      version: 2,
    });
    expect(first.heard).toEqual([{ path, base: 1, steps: [insert('b')] }]);
    expect(logFrom(fixture.restart().open(first, { path, diskText: '' })).text).toBe('ba');
  });

  test('the second window receives the log of the first, and its disk text is ignored', () => {
    const [first, second] = [createUser(), createUser()];
    fixture.here().open(first, { path, diskText: 'x' });
    fixture.here().step(first, { path, base: 0, steps: [insert('a'), insert('b'), { do: 'undo' }, { do: 'undo' }] });
    const opened = fixture.here().open(second, { path, diskText: 'another' });
    const { text, savedText, entries } = logFrom(opened);
    expect([text, savedText, entries.length, opened.version]).toEqual(['x', 'x', 2, 4]);
    expect(fixture.here().step(second, { path, base: opened.version, steps: [{ do: 'redo' }] }).accepted).toBe(true);
  });

  test('a window that closed the file or ended its page receives no further steps', () => {
    const [first, second, third] = [createUser(), createUser(), createUser()];
    for (const user of [first, second, third]) fixture.here().open(user, { path, diskText: '' });
    fixture.here().close(second, path);
    fixture.drafts.leave(third);
    fixture.here().step(first, { path, base: 0, steps: [insert('a')] });
    expect([second.heard, third.heard]).toEqual([[], []]);
  });

  test('the same path in another workspace is a different file', () => {
    const [first, second] = [createUser(), createUser()];
    fixture.here().open(first, { path, diskText: '' });
    fixture.here().step(first, { path, base: 0, steps: [insert('a')] });
    expect(logFrom(fixture.drafts.of('/other').open(second, { path, diskText: 'o' })).text).toBe('o');
  });
});

describe('a file that changed on disk while no window showed it', () => {
  const openAgain = (diskText: string, ...steps: EditStep[]) => {
    const user = createUser();
    fixture.here().open(user, { path, diskText: 'old' });
    fixture.here().step(user, { path, base: 0, steps });
    return fixture.restart().open(createUser(), { path, diskText });
  };

  test('is shown as it is on disk if it had no unsaved text, and the change can be undone', () => {
    const opened = openAgain('new', insert('a '), { do: 'saved' });
    const log = logFrom(opened);
    expect([log.text, log.savedText, opened.version]).toEqual(['new', 'new', opened.steps.length]);
    expect(takeStep(log, { do: 'undo' }).text).toBe('a old');
  });

  test('keeps its unsaved text, and the last step records what is on disk', () => {
    const { steps, baseText } = openAgain('new', insert('a '));
    const { text, savedText } = logFrom({ steps, baseText });
    expect([text, savedText, steps.at(-1)]).toEqual(['a old', 'new', { do: 'disk', text: 'new' }]);
  });

  test('counts as saved if the program was killed between writing the file and recording it', () => {
    openAgain('a old', insert('a '));
    expect(fixture.here().unsaved()).toEqual([]);
  });
});

describe('unsaved text', () => {
  test('is listed for open and closed files, most recent first', async () => {
    const user = createUser();
    for (const name of ['a', 'b', 'c']) {
      fixture.here().open(user, { path: name, diskText: '' });
      fixture.here().step(user, { path: name, base: 0, steps: [insert(name)] });
    }
    fixture.here().step(user, { path: 'b', base: 1, steps: [{ do: 'saved' }] });
    fixture.here().close(user, 'a');
    fixture.here().close(user, 'b');
    expect(
      fixture
        .here()
        .unsaved()
        .map(({ path: name }) => name)
        .sort(),
    ).toEqual(['a', 'c']);
    expect(
      fixture
        .restart()
        .unsaved()
        .map(({ path: name }) => name)
        .sort(),
    ).toEqual(['a', 'c']);
    await fixture.clock.advance(1_000_000_000_000);
    fixture.here().open(user, { path: 'c', diskText: '' });
    fixture.here().step(user, { path: 'c', base: 1, steps: [insert('again')] });
    expect(fixture.here().unsaved()[0]).toEqual({ path: 'c', at: fixture.clock.now() });
  });

  test('is reverted to the saved text in a step that all windows receive and can undo', () => {
    const [first, second] = [createUser(), createUser()];
    fixture.here().open(first, { path, diskText: 'x' });
    fixture.here().open(second, { path, diskText: 'x' });
    fixture.here().step(first, { path, base: 0, steps: [insert('a')] });
    fixture.here().discard([path, 'not/open']);
    const step = {
      do: 'edit',
      label: 'Discard unsaved changes',
      at: fixture.clock.now(),
      edits: [{ start: 0, end: 1, text: '' }],
    };
    expect(first.heard).toEqual([{ path, base: 1, steps: [step] }]);
    expect(second.heard.at(-1)).toEqual(first.heard[0]);
    const log = logFrom(fixture.restart().open(first, { path, diskText: 'x' }));
    expect([log.text, takeStep(log, { do: 'undo' }).text]).toEqual(['x', 'ax']);
  });

  test('can be discarded, by file and by folder', () => {
    const user = createUser();
    for (const name of ['f/a', 'f/b', 'fx']) {
      fixture.here().open(user, { path: name, diskText: '' });
      fixture.here().step(user, { path: name, base: 0, steps: [insert(name)] });
    }
    fixture.here().close(user, 'f/a');
    fixture.here().forget('f');
    expect(
      fixture
        .restart()
        .unsaved()
        .map(({ path: name }) => name),
    ).toEqual(['fx']);
  });
});

describe('renaming', () => {
  test('moves text, undo and versions of a folder, for open and closed files, and notifies other windows', () => {
    const [first, second] = [createUser(), createUser()];
    for (const name of ['f/a', 'f/deep/b', 'fx']) {
      fixture.here().open(first, { path: name, diskText: 'x' });
      fixture.here().step(first, { path: name, base: 0, steps: [insert(name)] });
    }
    fixture.here().open(second, { path: 'f/a', diskText: 'x' });
    fixture.here().close(first, 'f/deep/b');
    fixture.here().move(first, { from: 'f', to: 'g/h' });
    expect([first.heard, second.heard]).toEqual([[], [{ from: 'f', to: 'g/h' }]]);
    expect(fixture.here().step(first, { path: 'g/h/a', base: 1, steps: [insert('!')] }).accepted).toBe(true);
    const again = fixture.restart();
    expect(
      again
        .unsaved()
        .map(({ path: name }) => name)
        .sort(),
    ).toEqual(['fx', 'g/h/a', 'g/h/deep/b']);
    expect(logFrom(again.open(first, { path: 'g/h/a', diskText: 'x' })).text).toBe('!f/ax');
    expect(again.history.list('g/h/deep/b').map(({ why }) => why)).toEqual(['opened']);
  });
});

describe('versions', () => {
  test('are stored as first read, as saved and as changed elsewhere', () => {
    const user = createUser();
    fixture.here().open(user, { path, diskText: '1' });
    expect(fixture.here().history.list(path)).toEqual([]);
    const steps = [insert('2'), insert('3'), { do: 'saved' }, { do: 'saved' }, insert('4')] as const;
    fixture.here().step(user, { path, base: 0, steps });
    fixture.here().step(user, { path, base: 5, steps: [{ do: 'disk', text: 'theirs' }] });
    const { history: versions } = fixture.here();
    expect(versions.list(path).map(({ id, why }) => [why, versions.read(path, id)])).toEqual([
      ['changed elsewhere', 'theirs'],
      ['saved', '321'],
      ['opened', '1'],
    ]);
  });
});

describe('a file that is renamed to the name of another', () => {
  test('is rejected while another window shows that one, which is not affected', () => {
    const [first, second] = [createUser(), createUser()];
    fixture.here().open(first, { path: 'a.yaml', diskText: 'a' });
    fixture.here().open(second, { path: 'b.yaml', diskText: 'b' });
    const move = (from: string, to: string) => fixture.here().move(first, { from, to });
    expect(() => move('a.yaml', 'b.yaml')).toThrow(expect.objectContaining({ code: 'draft.in-use' }));
    expect(fixture.here().step(second, { path: 'b.yaml', base: 0, steps: [insert('x')] })).toMatchObject({
      accepted: true,
    });
    expect(fixture.here().step(first, { path: 'a.yaml', base: 0, steps: [insert('y')] })).toMatchObject({
      accepted: true,
    });
    fixture.here().close(second, 'b.yaml');
    move('a.yaml', 'b.yaml');
    expect(fixture.here().step(first, { path: 'b.yaml', base: 1, steps: [insert('z')] })).toMatchObject({
      accepted: true,
    });
  });
});
