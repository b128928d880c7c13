import type { MessageBoxOptions } from 'electron';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LeaveQuestion } from '../leave-guard.ts';
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

describe('what is at stake', () => {
  test('is nothing without unsaved text', () => {
    fixture.here().open(first.draftUser, { path: 'a', diskText: '' });
    expect([question.isAtStake(first), question.isAtStake(null)]).toEqual([false, false]);
  });

  test('is text that no other window shows; when the program ends, all of it', () => {
    edit(first, 'a');
    fixture.here().open(second.draftUser, { path: 'a', diskText: 'x' });
    expect([first, second, null].map((window) => question.isAtStake(window))).toEqual([false, false, true]);
    fixture.here().close(second.draftUser, 'a');
    expect([first, second, null].map((window) => question.isAtStake(window))).toEqual([true, false, true]);
  });

  test('is text that could not be put in safety, until it is or the window ends', () => {
    fixture.here().open(first.draftUser, { path: 'a', diskText: 'x' });
    fixture.here().setUnkept(first.draftUser, ['a']);
    expect([first, second, null].map((window) => question.isAtStake(window))).toEqual([true, false, true]);
    fixture.here().setUnkept(first.draftUser, []);
    expect(question.isAtStake(null)).toBe(false);
    fixture.here().setUnkept(first.draftUser, ['a']);
    fixture.drafts.leave(first.draftUser);
    expect(question.isAtStake(null)).toBe(false);
  });

  test('is such text once, also when other text of the file is in safety', async () => {
    edit(first, 'a');
    fixture.here().setUnkept(first.draftUser, ['a']);
    await question.ask('closeWindow', first);
    expect(shown[0]?.message).toBe('A file is not saved.');
    fixture.here().open(second.draftUser, { path: 'a', diskText: 'x' });
    expect(question.isAtStake(first)).toBe(true);
  });

  test('is not text that nobody shows: its journal keeps it', () => {
    edit(first, 'a');
    fixture.here().close(first.draftUser, 'a');
    expect(question.isAtStake(null)).toBe(false);
  });
});

describe('asked', () => {
  test('names up to five files and how many more there are', async () => {
    edit(first, 'a', 'b', 'c', 'd', 'e', 'f', 'g');
    await question.ask('closeWindow', first);
    expect(shown[0]).toMatchObject({
      message: '7 files are not saved.',
      detail: expect.stringMatching(/^a\nb\nc\nd\ne\nand 2 more\n/),
      buttons: ['Save All', "Don't Save", 'Cancel'],
      cancelId: buttons.cancel,
    });
  });

  test('and cancelled, nothing ends and nothing changes; so does a closed question', async () => {
    edit(first, 'a');
    expect(await question.ask('closeWindow', first)).toBe(false);
    answer = -1;
    expect(await question.ask('closeWindow', first)).toBe(false);
    expect([fixture.here().unsaved().length, askedToSave]).toEqual([1, []]);
  });

  test('without saving, the text of this window goes back to what was saved, and can be had again by undo', async () => {
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

  test('to save, the page is told, and it may end as soon as all is saved', async () => {
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

  test('to save what cannot be saved, it says so after ten seconds and does not end', async () => {
    edit(first, 'a', 'b');
    answer = buttons.saveAll;
    const asked = question.ask('quit', null);
    await fixture.clock.settle();
    save(first, 'a');
    await fixture.clock.advance(10_000);
    expect(await asked).toBe(false);
    expect(shown[1]).toMatchObject({ message: 'A file could not be saved.', detail: expect.stringMatching(/^b\n/) });
  });

  test('to save before quitting, one window for each file is told', async () => {
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
