import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSettingsStore } from '../settings-store.ts';
import { openLog } from './log-file.ts';
import { createRedactor } from './redact.ts';
import { diagnosticsText } from './report.ts';
import { watchStart } from './start-watch.ts';

let scratch = '';
let time = 0;
const clock = { now: () => time, setTimer: () => () => undefined };
const redact = createRedactor({ home: '/home/ada', secrets: () => ['own-secret'] });

beforeEach(() => {
  scratch = mkdtempSync(path.join(tmpdir(), 'millrace-diagnostics-'));
  time = Date.UTC(2026, 2, 14, 9, 15);
});
afterEach(() => rmSync(scratch, { recursive: true, force: true }));

const log = () => openLog({ folder: path.join(scratch, 'logs'), clock, redact });

test('a log contains the time and source of each line, no secrets, and is readable only by its owner', () => {
  const { write, tail, folder } = log();
  expect(tail(10)).toEqual([]);
  write('engine', 'failed with own-secret\n  at /home/ada/flows\n');
  write('main', '\n');
  expect(tail(10)).toEqual([
    '2026-03-14T09:15:00.000Z engine failed with [redacted]',
    '2026-03-14T09:15:00.000Z engine   at ~/flows',
  ]);
  expect(readFileSync(path.join(folder, 'millrace.log'), 'utf8')).not.toContain('own-secret');
  if (process.platform === 'win32') return;
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(path.join(folder, 'millrace.log')).mode & 0o777).toBe(0o600);
});

test('a log is limited to five megabytes and keeps the newest entries', () => {
  const { write, tail, folder } = log();
  const long = 'x'.repeat(16_000);
  for (let entry = 0; entry < 400; entry++) write('main', `${entry} ${long}`);
  expect(readdirSync(folder).sort()).toEqual([
    'millrace.1.log',
    'millrace.2.log',
    'millrace.3.log',
    'millrace.4.log',
    'millrace.log',
  ]);
  for (const name of readdirSync(folder))
    expect(statSync(path.join(folder, name)).size).toBeLessThanOrEqual(1024 * 1024);
  const entries = tail(100).map((line) => Number(line.split(' ')[2]));
  expect(entries).toEqual(Array.from({ length: 100 }, (_, index) => 300 + index));
});

test('truncates an entry that is too long', () => {
  const { write, tail } = log();
  write('main', 'y'.repeat(100_000));
  expect(tail(1)[0]?.length).toBeLessThan(17_000);
  expect(tail(1)[0]).toContain('… (83616 more)');
});

test('ignores errors when writing a log', () => {
  writeFileSync(path.join(scratch, 'logs'), 'a file');
  const { write, keepCrash, tail } = log();
  write('main', 'x');
  keepCrash('main', 'x');
  expect(tail(1)).toEqual([]);
});

test('stores crashes in separate files without secrets, and keeps the newest ten', () => {
  const { keepCrash, folder } = log();
  for (let crash = 0; crash < 12; crash++) {
    time += 1000;
    keepCrash('main', `Error: own-secret ${crash}\n    at /home/ada/x.js:1:2`);
  }
  const files = readdirSync(folder).sort();
  expect(files).toHaveLength(10);
  expect(readFileSync(path.join(folder, files[0] ?? ''), 'utf8')).toBe(
    'main\nError: [redacted] 2\n    at ~/x.js:1:2\n',
  );
});

test('the third start detects that the previous two ended before a window was usable', () => {
  expect(watchStart(scratch).hasFailedOften).toBe(false);
  expect(watchStart(scratch).hasFailedOften).toBe(false);
  const third = watchStart(scratch);
  expect(third.hasFailedOften).toBe(true);
  third.succeed();
  expect(watchStart(scratch).hasFailedOften).toBe(false);
});

test('treats a count that cannot be read or written as zero', () => {
  writeFileSync(path.join(scratch, 'starts.json'), '{"unfinished":"many"}');
  expect(watchStart(scratch).hasFailedOften).toBe(false);
  writeFileSync(path.join(scratch, 'file'), '');
  expect(watchStart(path.join(scratch, 'file')).hasFailedOften).toBe(false);
});

test('diagnostics list versions, system and settings, but no keys or folders', () => {
  const settings = openSettingsStore(path.join(scratch, 'settings.json'));
  settings.rememberWorkspace('/srv/secret-project');
  const { write, tail } = log();
  write('engine', 'Bearer abcdefgh1234');
  const text = diagnosticsText({
    version: '1.2.3',
    versions: { electron: '45.0.0', chrome: '140.0' },
    packageType: 'deb',
    system: 'linux 6.1 x64',
    isSafe: true,
    settings: settings.settings,
    keys: 2,
    log: tail(10),
    redact,
  });
  expect(text).toBe(
    [
      'Millrace: 1.2.3 (deb), safe mode',
      'electron: 45.0.0',
      'chrome: 140.0',
      'system: linux 6.1 x64',
      'settings: {"theme":"system","recentWorkspaces":1}',
      'keys in the vault: 2',
      '',
      'Last lines of the log:',
      '2026-03-14T09:15:00.000Z engine Bearer [redacted]',
      '',
    ].join('\n'),
  );
});
