import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createDraftsFixture, createUser, type DraftsFixture, insert, logFrom } from './test-drafts.ts';

const path = 'flows/a.yaml';

let fixture: DraftsFixture;

beforeEach(() => {
  fixture = createDraftsFixture();
});

afterEach(() => fixture.remove());

describe('a deleted file', () => {
  test('opens with its unsaved text', () => {
    const user = createUser();
    fixture.here().open(user, { path, diskText: 'c' });
    fixture.here().step(user, { path, base: 0, steps: [insert('b')] });
    const log = logFrom(fixture.restart().open(createUser(), { path, diskText: null }));
    expect([log.text, log.savedText]).toEqual(['bc', 'c']);
  });

  test('fails to open if it has no unsaved text', () => {
    const user = createUser();
    expect(() => fixture.here().open(user, { path, diskText: null })).toThrow(/was deleted/);
    fixture.here().open(user, { path, diskText: 'c' });
    fixture.here().step(user, { path, base: 0, steps: [insert('b'), { do: 'saved' }] });
    expect(() => fixture.restart().open(user, { path, diskText: null })).toThrow(/was deleted/);
  });

  test('keeps its unsaved text when another file takes its name', () => {
    const user = createUser();
    for (const name of ['gone.yaml', 'other.yaml']) {
      fixture.here().open(user, { path: name, diskText: '' });
      fixture.here().step(user, { path: name, base: 0, steps: [insert(`text of ${name}`)] });
    }
    const { notices } = fixture.restart().move(user, { from: 'other.yaml', to: 'gone.yaml' });
    const kept = fixture.files('drafts').filter((name) => name.endsWith('.damaged'));
    expect(kept.map((name) => readFileSync(name, 'utf8'))).toEqual([expect.stringContaining('text of gone.yaml')]);
    expect(notices).toEqual([expect.stringContaining(`was put into ${kept[0]}.txt. Copy it from there`)]);
    expect(readFileSync(`${kept[0]}.txt`, 'utf8')).toBe('text of gone.yaml');
    expect(logFrom(fixture.here().open(user, { path: 'gone.yaml', diskText: '' })).text).toBe('text of other.yaml');
  });

  test('does not set anything aside when moved to a free name', () => {
    const user = createUser();
    fixture.here().open(user, { path: 'a', diskText: '' });
    fixture.here().step(user, { path: 'a', base: 0, steps: [insert('x')] });
    expect(fixture.here().move(user, { from: 'a', to: 'b' })).toEqual({ notices: [] });
    expect(fixture.restart().move(user, { from: 'b', to: 'c' })).toEqual({ notices: [] });
  });
});
