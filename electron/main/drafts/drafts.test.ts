import { existsSync, mkdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { EditStep } from '../../ipc/edit-log.ts';
import { createDraftsFixture, createUser, type DraftsFixture, insert } from './test-drafts.ts';

const dayMs = 24 * 60 * 60 * 1000;

let fixture: DraftsFixture;

beforeEach(() => {
  fixture = createDraftsFixture();
});

afterEach(() => fixture.remove());

describe('startup', () => {
  /** Creates a journal last written the given number of days ago. */
  function journalOf(ageDays: number, ...steps: EditStep[]): string {
    const user = createUser();
    fixture.here().open(user, { path: 'a', diskText: '' });
    fixture.here().step(user, { path: 'a', base: 0, steps });
    const at = fixture.clock.now() / 1000 - (ageDays * dayMs) / 1000;
    utimesSync(fixture.journal(), at, at);
    return fixture.journal();
  }

  const saved: EditStep[] = [insert('a'), { do: 'saved' }];

  test.each([
    ['without unsaved text, after thirty days, goes', { ageDays: 31, steps: saved, stays: false }],
    ['without unsaved text, before, stays', { ageDays: 29, steps: saved, stays: true }],
    ['with unsaved text, however old, stays', { ageDays: 1_000, steps: [insert('a')], stays: true }],
  ])('a journal %s', (_name, { ageDays, steps, stays }) => {
    const file = journalOf(ageDays, ...steps);
    fixture.restart();
    fixture.drafts.tidy();
    expect(existsSync(file)).toBe(stays);
  });

  test('keeps files that are not journals', () => {
    const file = journalOf(31, insert('a'), { do: 'saved' });
    const others = [path.join(fixture.folder, 'drafts', 'a file'), path.join(path.dirname(file), 'unreadable.jsonl')];
    for (const other of others) {
      writeFileSync(other, 'x');
      utimesSync(other, 0, 0);
    }
    fixture.drafts.tidy();
    expect([...others, file].map(existsSync)).toEqual([true, true, false]);
  });
});

describe('a session', () => {
  const file = () => fixture.files('sessions')[0] ?? '';

  test('is restored after a restart, for its workspace only, and is readable only by its owner', () => {
    expect(fixture.drafts.readSession('/w')).toBeNull();
    fixture.drafts.writeSession('/w', { tabs: ['a'] });
    fixture.drafts.writeSession('/w', { tabs: ['a', 'b'], zoom: 1.5 });
    fixture.restart();
    expect(fixture.drafts.readSession('/w')).toEqual({ tabs: ['a', 'b'], zoom: 1.5 });
    expect(fixture.drafts.readSession('/other')).toBeNull();
    expect((statSync(file()).mode & 0o777).toString(8)).toBe('600');
  });

  test.each(['', '{"state":', '[]', '{}'])('is ignored if the file is damaged: %j', (text) => {
    fixture.drafts.writeSession('/w', 1);
    writeFileSync(file(), text);
    expect(fixture.drafts.readSession('/w')).toBeNull();
  });

  test('reports the reason if it cannot be stored', () => {
    writeFileSync(path.join(fixture.folder, 'sessions'), '');
    expect(() => fixture.drafts.writeSession('/w', 1)).toThrow(
      expect.objectContaining({ code: 'session.not-written', message: expect.stringMatching(/EEXIST|ENOTDIR/) }),
    );
  });
});

test('saving works even if a version cannot be stored', () => {
  mkdirSync(path.join(fixture.folder, 'drafts'), { recursive: true });
  writeFileSync(path.join(fixture.folder, 'versions'), '');
  const user = createUser();
  fixture.here().open(user, { path: 'a', diskText: '' });
  const answer = fixture.here().step(user, { path: 'a', base: 0, steps: [insert('a'), { do: 'saved' }] });
  expect([answer.accepted, fixture.here().unsaved()]).toEqual([true, []]);
});
