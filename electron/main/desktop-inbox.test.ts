import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { asRunId } from '../../engine/isomorphic.ts';
import { createManualClock } from '../../engine/testing/manual-clock.ts';
import type { InboxRequest } from '../ipc/contracts/inbox-contract.ts';
import { DesktopInbox, type InboxWindow } from './desktop-inbox.ts';
import type { SystemNotice } from './run-notices.ts';

function request(key: string, title = key, text = 'Publish?'): InboxRequest {
  return {
    key,
    title,
    text,
    run: 'A',
    since: 1,
    place: { path: 'a.flow.yaml', kind: 'flow', runId: asRunId('r1'), nodeId: key },
  };
}

function openInbox(file: string | null = path.join(mkdtempSync(path.join(tmpdir(), 'millrace-inbox-')), 'inbox.json')) {
  const outside = { now: 1000, isInFront: false, notices: [] as SystemNotice[], badge: -1, delivered: [] as string[] };
  const inbox = new DesktopInbox({
    file,
    clock: { ...createManualClock(), now: () => outside.now },
    showsRuns: () => true,
    isInFront: () => outside.isInFront,
    show: (notice) => outside.notices.push(notice),
    setBadge: (count) => {
      outside.badge = count;
    },
    deliver: (workspace, requests) => outside.delivered.push(...requests.map(({ key }) => `${workspace} ${key}`)),
  });
  const texts = (): string[] => outside.notices.splice(0).map(({ title, body }) => `${title}: ${body}`);
  return { inbox, outside, texts, file };
}

function windowOn(workspace: string) {
  const seen: unknown[] = [];
  const window: InboxWindow = {
    content: { workspace },
    push: (...[name, payload]: [string, unknown]) => seen.push(name === 'inbox.changed' ? payload : [name, payload]),
    bringToFront: () => seen.push('front'),
    offer: (things) => seen.push(...things),
  };
  return { ...window, seen };
}

test('shows each request once, also after a restart, and again when it was answered and asks again', () => {
  const { inbox, texts, file } = openInbox();
  const window = windowOn('/a');
  inbox.tell(window, [request('x')]);
  inbox.tell(window, [request('x'), request('y')]);
  inbox.tell(windowOn('/a'), [request('x'), request('y')]);
  expect(texts()).toEqual(['x waits for you: Publish?', 'y waits for you: Publish?']);

  const next = openInbox(file);
  next.inbox.tell(window, [request('x'), request('y'), request('z')]);
  next.inbox.tell(window, [request('y'), request('z')]);
  next.inbox.tell(window, [request('x'), request('y'), request('z')]);
  expect(next.texts()).toEqual(['z waits for you: Publish?', 'x waits for you: Publish?']);
});

test('shows nothing while the program is focused, nor the same request later', () => {
  const { inbox, outside, texts } = openInbox();
  outside.isInFront = true;
  inbox.tell(windowOn('/a'), [request('x')]);
  outside.isInFront = false;
  inbox.tell(windowOn('/a'), [request('x')]);
  expect(texts()).toEqual([]);
});

test('a click only opens the place, and many requests at once are one notification that opens the list', () => {
  const { inbox, outside } = openInbox();
  const window = windowOn('/a');
  inbox.tell(window, [request('x')]);
  outside.notices.splice(0)[0]?.onClick();
  const many = Array.from({ length: 10_000 }, (_, index) => request(`n${index}`));
  inbox.tell(window, many);
  expect(outside.notices.map(({ title, body }) => [title, body])).toEqual([
    ['10000 requests wait for you', 'n0, n1, n2 and 9997 more'],
  ]);
  outside.notices[0]?.onClick();
  expect(window.seen).toEqual([
    'front',
    { kind: 'waiting', place: request('x').place },
    'front',
    { kind: 'waiting', place: null },
  ]);
});

test('converts text from flows to plain text without markup, escape sequences or excessive length', () => {
  const { inbox, texts } = openInbox();
  inbox.tell(windowOn('/a'), [request('x', '\u001b[31m<b>red</b>\u202e', `a\n&amp;${'!'.repeat(900)}`)]);
  expect(texts()).toEqual([`[31m‹b›red‹/b› waits for you: a ＆amp;${'!'.repeat(193)}`]);
});

test('counts requests in all workspaces, each once regardless of how many windows show it', () => {
  const { inbox, outside } = openInbox();
  const [first, second, other] = [windowOn('/a'), windowOn('/a'), windowOn('/b')];
  inbox.tell(first, [request('x'), request('y')]);
  inbox.tell(second, [request('x'), request('y')]);
  inbox.tell(other, [request('x')]);
  expect(outside.badge).toBe(3);
  inbox.leave(first);
  expect(outside.badge).toBe(3);
  inbox.leave(second);
  expect(outside.badge).toBe(1);
});

test('stores snoozed requests per workspace until their time, and notifies other windows', () => {
  const { inbox, outside, file } = openInbox();
  const [here, beside, other] = [windowOn('/a'), windowOn('/a'), windowOn('/b')];
  for (const window of [here, beside, other]) inbox.tell(window, []);
  inbox.snooze(here, ['x', 'z'], 5000);
  inbox.snooze(here, ['y'], 2000);
  inbox.snooze(other, ['x'], 9000);
  expect(beside.seen).toEqual([{ snoozed: { x: 5000, z: 5000 } }, { snoozed: { x: 5000, z: 5000, y: 2000 } }]);
  outside.now = 2000;
  expect(inbox.snoozed(here)).toEqual({ x: 5000, z: 5000 });
  inbox.snooze(here, ['x'], null);
  const next = openInbox(file).inbox;
  expect([next.snoozed(here), next.snoozed(other)]).toEqual([{ z: 5000 }, { x: 9000 }]);
});

test('12.6 delivers each request outside the program once: not after a snooze, a restart or from a second window', () => {
  const { inbox, outside, file } = openInbox();
  outside.isInFront = true;
  inbox.tell(windowOn('/a'), [request('x')]);
  inbox.tell(windowOn('/a'), [request('x'), request('y')]);
  inbox.tell(windowOn('/b'), [request('x')]);
  inbox.snooze(windowOn('/a'), ['x'], 5000);
  inbox.tell(windowOn('/a'), [request('y')]);
  inbox.tell(windowOn('/a'), [request('x'), request('y')]);
  expect(outside.delivered).toEqual(['/a x', '/a y', '/b x']);
  const next = openInbox(file);
  next.inbox.tell(windowOn('/a'), [request('x'), request('y'), request('z')]);
  expect(next.outside.delivered).toEqual(['/a z']);
});

test('12.4 sends one reminder, inside and outside the program, for a request that is past its deadline', () => {
  const { inbox, outside, texts } = openInbox();
  const due = { ...request('x'), deadlineAt: 5000 };
  inbox.tell(windowOn('/a'), [due]);
  outside.now = 5000;
  inbox.tell(windowOn('/a'), [due]);
  inbox.tell(windowOn('/a'), [due, { ...request('late'), deadlineAt: 10 }]);
  expect(texts()).toEqual([
    'x waits for you: Publish?',
    'x waits for you: Its deadline has passed. Publish?',
    'late waits for you: Its deadline has passed. Publish?',
  ]);
  expect([outside.delivered, outside.badge]).toEqual([['/a x', '/a x', '/a late'], 2]);
});

test("12.6 lists requests of other windows' workspaces, which can be viewed and opened but not answered", () => {
  const { inbox, outside } = openInbox();
  const [here, there] = [windowOn('/work/a'), windowOn('/work/b')];
  inbox.tell(here, [request('x')]);
  inbox.tell(there, [request('y', 'Editor', 'Long '.repeat(100))]);
  const others = [
    {
      folder: '/work/b',
      name: 'b',
      count: 1,
      requests: [{ key: 'y', title: 'Editor', text: 'Long '.repeat(40), run: 'A', since: 1 }],
    },
  ];
  expect(here.seen).toEqual([['inbox.othersChanged', { workspaces: others }]]);
  expect(inbox.others(here)).toEqual(others);
  inbox.tell(there, [request('y', 'Editor', 'Long '.repeat(100))]);
  expect(here.seen).toHaveLength(1);

  there.seen.splice(0);
  expect([inbox.openOther('/work/b', 'y'), inbox.openOther('/work/b', 'x'), inbox.openOther('/etc', 'y')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(there.seen).toEqual(['front', { kind: 'waiting', place: request('y').place }]);
  inbox.leave(there);
  expect(here.seen.at(-1)).toEqual(['inbox.othersChanged', { workspaces: [] }]);
  expect(outside.badge).toBe(1);
});

test('processes 10,000 requests quickly, and another window receives the first of them', () => {
  const { inbox } = openInbox();
  const [here, there] = [windowOn('/a'), windowOn('/b')];
  inbox.tell(here, []);
  const many = Array.from({ length: 10_000 }, (_, index) => request(`n${index}`));
  inbox.tell(there, many);
  expect(inbox.others(here)).toMatchObject([{ count: 10_000 }]);
  expect(inbox.others(here)[0]?.requests).toHaveLength(300);
});

test('treats an unreadable file as missing, and ignores failed writes', () => {
  const { file } = openInbox();
  writeFileSync(file ?? '', '{ "version": 2 }');
  const { inbox } = openInbox(file);
  expect(inbox.snoozed(windowOn('/a'))).toEqual({});
  const blocked = openInbox(path.join(file ?? '', 'below', 'inbox.json'));
  blocked.inbox.snooze(windowOn('/a'), ['x'], 5000);
  expect(blocked.inbox.snoozed(windowOn('/a'))).toEqual({ x: 5000 });
});
