/** Tests journals that are truncated, damaged, not writable or long. */
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import nodePath from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type EditStep, takeStep } from '../../ipc/edit-log.ts';
import { createDraftsFixture, createUser, type DraftsFixture, insert, logFrom, type TestUser } from './test-drafts.ts';

const path = 'flows/a.yaml';

let fixture: DraftsFixture;
let user: TestUser;

beforeEach(() => {
  fixture = createDraftsFixture();
  user = createUser();
});

afterEach(() => fixture.remove());

function write(diskText: string, ...steps: EditStep[]): string {
  const { version } = fixture.here().open(user, { path, diskText });
  fixture.here().step(user, { path, base: version, steps });
  return fixture.journal();
}

function textAfterRestart(diskText: string): string {
  return logFrom(fixture.restart().open(createUser(), { path, diskText })).text;
}

describe('a journal', () => {
  test('truncated at any byte of its last line loses only that line and can be continued', () => {
    write('x', insert('a'));
    const whole = readFileSync(fixture.journal());
    const lastLine = JSON.stringify(insert('ü'));
    for (const length of [1, 20, Buffer.byteLength(lastLine) - 1, Buffer.byteLength(lastLine)]) {
      writeFileSync(fixture.journal(), Buffer.concat([whole, Buffer.from(lastLine).subarray(0, length)]));
      const here = fixture.restart();
      const opened = here.open(user, { path, diskText: 'x' });
      expect([logFrom(opened).text, opened.notice]).toEqual(['ax', undefined]);
      here.step(user, { path, base: opened.version, steps: [insert('b')] });
      expect(textAfterRestart('x')).toBe('bax');
    }
  });

  test('ending in zeros after a power loss loses only the zeros', () => {
    appendFileSync(write('x', insert('a')), Buffer.alloc(4096));
    expect(textAfterRestart('x')).toBe('ax');
  });

  test('damaged in the middle returns what came before, reports it, and is kept for the user', () => {
    const file = write('x', insert('a'), insert('b'));
    const [head, first, second] = readFileSync(file, 'utf8').split('\n');
    const damaged = `${head}\n${first}\n{"do":"edit"}\n${second}\n`;
    writeFileSync(file, damaged);
    const opened = fixture.restart().open(user, { path, diskText: 'x' });
    expect(logFrom(opened).text).toBe('ax');
    expect(opened.notice).toContain(`${file}.damaged: open it in a text editor`);
    expect(readFileSync(`${file}.damaged`, 'utf8')).toBe(damaged);
    expect(textAfterRestart('x')).toBe('ax');
  });

  test.each([
    '',
    'nonsense\n',
    '{"version":2,"path":"flows/a.yaml","baseText":"x"}\n',
    '{"version":1,"path":"b","baseText":"x"}\n',
  ])('with an invalid start is set aside: %j', (text) => {
    const file = write('x', insert('a'));
    for (const name of [`${file}.damaged`, `${file}.damaged2`]) {
      writeFileSync(file, text);
      const here = fixture.restart();
      const opened = here.open(user, { path, diskText: 'x' });
      expect([logFrom(opened).text, opened.notice]).toEqual(['x', expect.stringContaining(name)]);
      here.step(user, { path, base: 0, steps: [insert('c')] });
      expect(readFileSync(name, 'utf8')).toBe(text);
    }
    expect(textAfterRestart('x')).toBe('cx');
  });

  test('that cannot be read does not hide the unsaved text of other files', () => {
    write('x', insert('a'));
    writeFileSync(nodePath.join(nodePath.dirname(fixture.journal()), 'other.jsonl'), 'nonsense');
    expect(fixture.restart().unsaved()).toHaveLength(1);
  });

  test('is readable only by its owner', () => {
    const file = write('x', insert('a'));
    const modes = [file, nodePath.dirname(file), nodePath.join(fixture.folder, 'drafts')];
    expect(modes.map((name) => (statSync(name).mode & 0o777).toString(8))).toEqual(['600', '700', '700']);
  });
});

describe('on a disk that cannot be written', () => {
  test('a step is rejected, and the next one succeeds when there is space again', () => {
    const { version } = fixture.here().open(user, { path, diskText: 'x' });
    const blocker = nodePath.join(fixture.folder, 'drafts');
    writeFileSync(blocker, 'a file where the folder should be');
    const step = (text: string) => fixture.here().step(user, { path, base: version, steps: [insert(text)] });
    expect(() => step('lost')).toThrow(expect.objectContaining({ code: 'draft.not-written', recoverable: true }));
    rmSync(blocker);
    expect(step('a')).toEqual({ accepted: true, version: 1 });
    expect(textAfterRestart('x')).toBe('ax');
  });

  test('a partially written step is not in the next journal', () => {
    const file = write('x', insert('a'));
    const folder = nodePath.dirname(file);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, '');
    expect(() => fixture.here().step(user, { path, base: 1, steps: [insert('b')] })).toThrow(/put in safety/);
    rmSync(folder);
    fixture.here().step(user, { path, base: 1, steps: [insert('c')] });
    expect(textAfterRestart('x')).toBe('cax');
  });

  test('a file opens with the readable edits and changes from outside', () => {
    const file = write('x', insert('a'), { do: 'saved' });
    appendFileSync(file, 'damaged\n');
    mkdirSync(`${file}.new`);
    const opened = fixture.restart().open(user, { path, diskText: 'new' });
    expect([logFrom(opened).text, opened.notice]).toEqual(['new', expect.stringContaining('.damaged')]);
    rmdirSync(`${file}.new`);
    fixture.here().step(user, { path, base: opened.version, steps: [insert('b')] });
    expect(textAfterRestart('new')).toBe('bnew');
  });
});

describe('a long journal', () => {
  const line = 'a line of about forty characters, or so.\n';

  /** Types and undoes text, which writes much and keeps nothing. */
  function churn(rounds: number, from: number): number {
    let base = from;
    for (let round = 0; round < rounds; round++) {
      const steps: EditStep[] = Array.from({ length: 100 }, () => [insert(line), { do: 'undo' } as const]).flat();
      base = fixture.here().step(user, { path, base, steps }).version;
    }
    return base;
  }

  test('is compacted while the file is open, without affecting the windows', () => {
    const { version } = fixture.here().open(user, { path, diskText: line });
    fixture.here().step(user, { path, base: version, steps: [insert('kept ')] });
    const other = createUser();
    fixture.here().open(other, { path, diskText: line });
    const base = churn(120, 1);
    expect(base).toBe(1 + 120 * 200);
    expect(statSync(fixture.journal()).size).toBeLessThan(1024 * 1024 + 4 * line.length + 40_000);
    expect(fixture.here().step(other, { path, base: base - 5, steps: [insert('!')] })).toMatchObject({
      accepted: false,
    });
    expect(() => fixture.here().step(other, { path, base: 1, steps: [insert('!')] })).toThrow(
      expect.objectContaining({ code: 'draft.out-of-step' }),
    );
    const log = logFrom(fixture.restart().open(user, { path, diskText: line }));
    expect([log.text, takeStep(log, { do: 'undo' }).text]).toEqual([`kept ${line}`, line]);
  });

  test('keeps all undo entries while the file is open, and two hundred of them afterwards', () => {
    let { version } = fixture.here().open(user, { path, diskText: '' });
    const text = 'x'.repeat(10_000);
    for (let round = 0; round < 210; round++) {
      const end = round === 0 ? 0 : text.length;
      const replacing: EditStep = { do: 'edit', label: `Round ${round}`, at: round, edits: [{ start: 0, end, text }] };
      ({ version } = fixture.here().step(user, { path, base: version, steps: [replacing] }));
    }
    expect(logFrom(fixture.here().open(createUser(), { path, diskText: '' })).entries).toHaveLength(210);
    // The journal exceeds the limit and cannot be compacted. Rewriting it would change the inode number.
    const { size, ino } = statSync(fixture.journal());
    fixture.here().step(user, { path, base: version, steps: [{ do: 'saved' }] });
    expect(statSync(fixture.journal()).ino).toBe(ino);

    fixture.drafts.leave(user);
    const log = logFrom(fixture.restart().open(user, { path, diskText: text }));
    expect([log.text, log.entries.length, log.entries[0]?.label]).toEqual([text, 200, 'Round 10']);
    expect(statSync(fixture.journal()).size).toBeLessThan(size);
  });

  test('without content is deleted when the file is closed', () => {
    const file = write('x', { do: 'saved' });
    fixture.here().close(user, path);
    expect(existsSync(file)).toBe(false);
    expect(readdirSync(nodePath.dirname(file))).toEqual([]);
  });
});
