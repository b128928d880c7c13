/** Tests what lets a page in, and for how long. */
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import {
  createPageSessions,
  issuePageToken,
  type PageRequest,
  type PageSession,
  type PageSessions,
  readServiceKey,
} from './page-sessions.ts';

const key = new Uint8Array(32).fill(7);
const own = 'http://127.0.0.1:7420';
const week = 7 * 24 * 3_600_000;

let clock: ManualClock;
let sessions: PageSessions;

beforeEach(() => {
  clock = createManualClock();
  sessions = open();
});

function open(ownKey = key): PageSessions {
  return createPageSessions({ key: ownKey, clock, origins: () => [own] });
}

interface Sent {
  readonly method?: string;
  readonly cookie?: string;
  readonly origin?: string;
  readonly link?: string;
}

function request({ method = 'GET', cookie, origin, link }: Sent): PageRequest {
  const headers: Readonly<Record<string, string | undefined>> = { cookie, origin };
  return { method, header: (name) => headers[name], query: (name) => (name === 'link' ? link : undefined) };
}

const of = (sent: Sent, name = 'refunds', runId?: string): PageSession | undefined =>
  sessions.of(request(sent), runId === undefined ? { name } : { name, runId });

/** Returns what a browser sends back. */
function cookieFor(name: string, keyId?: string): string {
  const set = sessions.cookie(name, { isSecure: false, ...(keyId === undefined ? {} : { keyId }) });
  return set.slice(0, set.indexOf(';'));
}

describe('a session cookie', () => {
  test('proves the session of one flow for a week', async () => {
    const cookie = cookieFor('refunds', 'key-1');
    const session = of({ cookie });
    expect(session).toMatchObject({ keyId: 'key-1' });
    expect(of({ cookie: `a=b; ${cookie}` })).toEqual(session);
    expect(of({ cookie }, 'other')).toBeUndefined();
    const renamed = cookie.replace('page-refunds', 'page-other');
    expect(of({ cookie: renamed }, 'other')).toBeUndefined();
    await clock.advance(week);
    expect(of({ cookie })).toEqual(session);
    await clock.advance(1);
    expect(of({ cookie })).toBeUndefined();
  });

  test('of a page without a key is marked, so that it can end when the page needs one', () => {
    const set = sessions.cookie('refunds', { isSecure: false, isOpen: true });
    expect(of({ cookie: set.slice(0, set.indexOf(';')) })).toMatchObject({ isOpen: true });
    expect(of({ cookie: cookieFor('refunds') })).not.toHaveProperty('isOpen');
  });

  test('is kept from scripts and other sites, and is only sent encrypted at a public address', () => {
    expect(sessions.cookie('refunds', { isSecure: false })).toMatch(/; HttpOnly; SameSite=Strict$/);
    expect(sessions.cookie('refunds', { isSecure: true })).toMatch(/; HttpOnly; SameSite=Strict; Secure$/);
  });

  test('changes nothing without a page of the service', () => {
    const cookie = cookieFor('refunds');
    const post = { method: 'POST', cookie };
    expect(of({ ...post, origin: own })).toBeDefined();
    for (const origin of [undefined, 'null', 'https://app.example.com', `${own}.evil.example`]) {
      const sent = origin === undefined ? post : { ...post, origin };
      expect(() => of(sent)).toThrow('Only a page of this service');
    }
  });

  test('cannot be forged', () => {
    const cookie = cookieFor('refunds');
    const [text = '', mac = ''] = cookie.slice(cookie.indexOf('=') + 1).split('.');
    const claim = JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>;
    const other = Buffer.from(JSON.stringify({ ...claim, keyId: 'admin' })).toString('base64url');
    const token = issuePageToken(key, 'refunds', clock.now());
    const link = sessions.runLink({ name: 'refunds', runId: 'r1' }, { id: 'x' });
    const stranger = open(new Uint8Array(32));
    const strange = stranger.cookie('refunds', { isSecure: false }).split(';')[0]?.split('=')[1];
    for (const value of [`${other}.${mac}`, text, `${text}.`, '', '.', 'x.y', token, link, strange, '{}'.repeat(5000)])
      expect(of({ cookie: `millrace-page-refunds=${value}` })).toBeUndefined();
    const both = `millrace-page-refunds=${text}.x; ${cookie}`;
    expect(of({ cookie: both })).toBeDefined();
  });
});

describe('a one-time token', () => {
  test('opens one page once', () => {
    const token = issuePageToken(key, 'refunds', clock.now());
    expect(sessions.redeem('other', token)).toBe(false);
    expect(sessions.redeem('refunds', token)).toBe(true);
    expect(sessions.redeem('refunds', token)).toBe(false);
    expect(sessions.redeem('refunds', `${token}.more`)).toBe(false);
  });

  test('is valid for a minute, also if the clock is set back', async () => {
    const late = issuePageToken(key, 'refunds', clock.now());
    await clock.advance(60_001);
    expect(sessions.redeem('refunds', late)).toBe(false);
    const token = issuePageToken(key, 'refunds', clock.now());
    expect(sessions.redeem('refunds', token)).toBe(true);
    clock.put(clock.now() + 120_000);
    expect(sessions.redeem('refunds', issuePageToken(key, 'refunds', clock.now()))).toBe(true);
    clock.put(clock.now() - 120_000);
    expect(sessions.redeem('refunds', token)).toBe(false);
    expect(sessions.redeem('refunds', issuePageToken(key, 'refunds', clock.now() + 60_001))).toBe(false);
  });

  test('of an earlier service is not valid, because that service may have accepted it', async () => {
    const token = issuePageToken(key, 'refunds', clock.now());
    await clock.advance(1);
    sessions = open();
    expect(sessions.redeem('refunds', token)).toBe(false);
    expect(sessions.redeem('refunds', issuePageToken(key, 'refunds', clock.now()))).toBe(true);
  });

  test('is not a cookie or a link', () => {
    const cookie = cookieFor('refunds');
    expect(sessions.redeem('refunds', cookie.slice(cookie.indexOf('=') + 1))).toBe(false);
    expect(sessions.redeem('refunds', sessions.runLink({ name: 'refunds', runId: 'r' }, { id: 'x' }))).toBe(false);
  });
});

test('a link shows one run for a week', async () => {
  const link = sessions.runLink({ name: 'refunds', runId: 'r1' }, { id: 'x', keyId: 'key-1' });
  expect(of({ link }, 'refunds', 'r1')).toEqual({ id: 'x', keyId: 'key-1' });
  expect(of({ link }, 'refunds', 'r2')).toBeUndefined();
  expect(of({ link }, 'other', 'r1')).toBeUndefined();
  expect(of({ link })).toBeUndefined();
  // A session alone shows no run: the person may have started it with another session.
  expect(of({ cookie: cookieFor('refunds') }, 'refunds', 'r1')).toBeUndefined();
  expect(() => of({ link, method: 'POST' }, 'refunds', 'r1')).toThrow('Only a page of this service');
  await clock.advance(week + 1);
  expect(of({ link }, 'refunds', 'r1')).toBeUndefined();
});

describe('the key of the service', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'page-key-'));
  });
  afterEach(async () => await rm(folder, { recursive: true }));

  test('is created once, for the user only', async () => {
    const keys = await Promise.all([1, 2, 3, 4].map(() => readServiceKey(folder, [])));
    const file = join(folder, 'millrace', 'service-key');
    const written = await readFile(file);
    expect(written).toHaveLength(32);
    for (const one of keys) expect(Buffer.from(one)).toEqual(written);
    if (process.platform !== 'win32') expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  test('is not used if runs could read it, or if it is damaged', async () => {
    await expect(readServiceKey(folder, [folder])).rejects.toMatchObject({ code: 'http.key-inside' });
    await mkdir(join(folder, 'millrace'), { recursive: true });
    await writeFile(join(folder, 'millrace', 'service-key'), '');
    await expect(readServiceKey(folder, [])).rejects.toMatchObject({ code: 'http.bad-key-file' });
  });
});
