import type { MessageBoxOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LeaveQuestion } from '../windows/leave-guard.ts';
import { createDraftsFixture, createUser, type DraftsFixture, insert, logFrom, type TestUser } from './test-drafts.ts';
import { createUnsavedQuestion } from './unsaved-question.ts';

interface TestWindow {
  readonly draftUser: TestUser;
}

const buttons = { saveAll: 0, dontSave: 1, cancel: 2 } as const;

let fixture: DraftsFixture;
let first: TestWindow;
let second: TestWindow;
let question: LeaveQuestion<TestWindow>;
let shown: MessageBoxOptions[];
let askedToSave: unknown[];
let answer: number;

beforeEach(() => {
  fixture = createDraftsFixture();
  [first, second] = [{ draftUser: createUser() }, { draftUser: createUser() }];
  [shown, askedToSave, answer] = [[], [], buttons.cancel];
  question = createUnsavedQuestion<TestWindow>({
    drafts: fixture.drafts,
    clock: fixture.clock,
    show: async (options) => {
      shown.push(options);
      return { response: answer, checkboxChecked: false };
    },
    askToSave: (user) => askedToSave.push(user),
  });
});

afterEach(() => fixture.remove());

function edit({ draftUser }: TestWindow, ...paths: string[]): void {
  for (const path of paths) {
    const { version } = fixture.here().open(draftUser, { path, diskText: 'x' });
    fixture.here().step(draftUser, { path, base: version, steps: [insert('a')] });
  }
}

function save({ draftUser }: TestWindow, path: string): void {
  fixture.here().step(draftUser, { path, base: 1, steps: [{ do: 'saved' }] });
}

describe('text at stake', () => {
  test('is empty without unsaved text', () => {
    fixture.here().open(first.draftUser, { path: 'a', diskText: '' });
    expect([question.isAtStake(first), question.isAtStake(null)]).toEqual([false, false]);
  });

  test('is unsaved text that no other window shows, and all of it when the program quits', () => {
    edit(first, 'a');
    fixture.here().open(second.draftUser, { path: 'a', diskText: 'x' });
    expect([first, second, null].map((window) => question.isAtStake(window))).toEqual([false, false, true]);
    fixture.here().close(second.draftUser, 'a');
    expect([first, second, null].map((window) => question.isAtStake(window))).toEqual([true, false, true]);
  });

  test('includes text that could not be stored, until it is or the window closes', () => {
    fixture.here().open(first.draftUser, { path: 'a', diskText: 'x' });
    fixture.here().setUnkept(first.draftUser, ['a']);
    expect([first, second, null].map((window) => question.isAtStake(window))).toEqual([true, false, true]);
    fixture.here().setUnkept(first.draftUser, []);
    expect(question.isAtStake(null)).toBe(false);
    fixture.here().setUnkept(first.draftUser, ['a']);
    fixture.drafts.leave(first.draftUser);
    expect(question.isAtStake(null)).toBe(false);
  });

  test('includes such text once, even if other text of the file is stored', async () => {
    edit(first, 'a');
    fixture.here().setUnkept(first.draftUser, ['a']);
    await question.ask('closeWindow', first);
    expect(shown[0]?.message).toBe('A file is not saved.');
    fixture.here().open(second.draftUser, { path: 'a', diskText: 'x' });
    expect(question.isAtStake(first)).toBe(true);
  });

  test('excludes text that no window shows, because its journal keeps it', () => {
    edit(first, 'a');
    fixture.here().close(first.draftUser, 'a');
    expect(question.isAtStake(null)).toBe(false);
  });
});

describe('the question', () => {
  test('names up to five files and the number of others', async () => {
    edit(first, 'a', 'b', 'c', 'd', 'e', 'f', 'g');
    await question.ask('closeWindow', first);
    expect(shown[0]).toMatchObject({
      message: '7 files are not saved.',
      detail: expect.stringMatching(/^a\nb\nc\nd\ne\nand 2 more\n/),
      buttons: ['Save All', "Don't Save", 'Cancel'],
      cancelId: buttons.cancel,
    });
  });

  test('changes nothing when it is canceled or closed', async () => {
    edit(first, 'a');
    expect(await question.ask('closeWindow', first)).toBe(false);
    answer = -1;
    expect(await question.ask('closeWindow', first)).toBe(false);
    expect([fixture.here().unsaved().length, askedToSave]).toEqual([1, []]);
  });

  test('discarding restores the saved text in this window, and undo brings the unsaved text back', async () => {
    edit(first, 'a');
    edit(second, 'b');
    answer = buttons.dontSave;
    expect(await question.ask('closeWindow', first)).toBe(true);
    expect(
      fixture
        .here()
        .unsaved()
        .map(({ path }) => path),
    ).toEqual(['b']);
    fixture.drafts.leave(first.draftUser);
    const log = logFrom(fixture.restart().open(createUser(), { path: 'a', diskText: 'x' }));
    expect([log.text, log.entries.at(-1)?.label]).toEqual(['x', 'Discard unsaved changes']);
  });

  test('saving notifies the page, which may close as soon as everything is saved', async () => {
    edit(first, 'a', 'b');
    answer = buttons.saveAll;
    const asked = question.ask('closeWindow', first);
    await fixture.clock.settle();
    expect(askedToSave).toEqual([first.draftUser]);
    save(first, 'a');
    await fixture.clock.settle();
    save(first, 'b');
    await fixture.drafts.store();
    expect([await asked, shown.length, fixture.clock.openTimers]).toEqual([true, 1, 0]);
  });

  test('saving reports after ten seconds that it failed, and does not close', async () => {
    edit(first, 'a', 'b');
    answer = buttons.saveAll;
    const asked = question.ask('quit', null);
    await fixture.clock.settle();
    save(first, 'a');
    await fixture.clock.advance(10_000);
    expect(await asked).toBe(false);
    expect(shown[1]).toMatchObject({ message: 'A file could not be saved.', detail: expect.stringMatching(/^b\n/) });
  });

  test('saving before quitting notifies one window per file', async () => {
    edit(first, 'shared', 'mine');
    fixture.here().open(second.draftUser, { path: 'shared', diskText: 'x' });
    answer = buttons.saveAll;
    const asked = question.ask('quit', null);
    await fixture.clock.settle();
    expect(askedToSave).toEqual([first.draftUser]);
    save(first, 'shared');
    save(first, 'mine');
    expect(await asked).toBe(true);

    edit(second, 'theirs');
    edit(first, 'again');
    const askedAgain = question.ask('quit', null);
    await fixture.clock.settle();
    expect(new Set(askedToSave.slice(1))).toEqual(new Set([first.draftUser, second.draftUser]));
    save(second, 'theirs');
    save(first, 'again');
    expect(await askedAgain).toBe(true);
  });
});
