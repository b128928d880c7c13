import { expect, test } from 'vitest';
import type { AppWindow } from '../windows/app-window.ts';
import type { ConsentQuestion } from './consent.ts';
import { publishHandlers } from './publish-handlers.ts';

const flow = 'Refund mail.flow.yaml';
const settings = {
  name: 'refunds',
  limits: { runsAtOnce: 3, perHour: 20, bodyBytes: 5_000_000 },
  page: { isOn: true, needsKey: false, showsProgress: true },
};
const usual = {
  name: 'refund-mail',
  limits: { runsAtOnce: 2, perHour: 60, bodyBytes: 10_000_000 },
  page: { isOn: true, needsKey: true, showsProgress: true },
};
const published = { ...settings, flow, workspace: '/shop', hash: 'h', by: 'kim', at: 0, state: 'on' };
const url = 'http://127.0.0.1:7420/f/refunds?token=t';

interface World {
  readonly isAllowed?: boolean;
  readonly isBackground?: boolean;
  readonly list?: readonly unknown[];
}

function open({ isAllowed = true, isBackground = true, list = [] }: World) {
  const questions: ConsentQuestion[] = [];
  const done: unknown[] = [];
  const opened: string[] = [];
  const content = { workspace: '/shop' };
  const background = {
    state: { isOn: isBackground },
    set(isOn: boolean) {
      this.state = { isOn };
    },
  };
  const answers: Readonly<Record<string, unknown>> = {
    listPublished: list,
    readFlow: { text: 'flow: {}' },
    findPermissions: { hosts: ['shop.example'], missing: [] },
    openFormPage: { url },
    createApiKey: { key: 'mk_secret' },
  };
  const person = {
    async call(name: string, request: unknown) {
      if (name === 'checkPublish') return { ...usual, ...(list.length === 0 ? {} : settings), hash: 'h1' };
      if (name === 'publishFlow' || name === 'createApiKey') done.push(request);
      return answers[name];
    },
  };
  const window = { content, asPerson: async (act: (one: typeof person) => unknown) => act(person) };
  const whileAsked: (() => void)[] = [];
  const consent = async (question: ConsentQuestion): Promise<boolean> => {
    questions.push(question);
    for (const act of whileAsked) act();
    return isAllowed;
  };
  const openUrl = async (address: string): Promise<void> => void opened.push(address);
  const handlers = publishHandlers(window as unknown as AppWindow, consent, background, openUrl);
  return { ...{ handlers, questions, done, opened, content, background, whileAsked } };
}

test('the dialog shows the address and who can call it, and exactly that is published after consent', async () => {
  const no = open({ isAllowed: false });
  expect(await no.handlers['publish.flow']({ flow })).toEqual({ isDone: false });
  expect(no.done).toEqual([]);
  expect(no.questions[0]?.message).toBe('Publish Refund mail.flow.yaml?');
  expect(no.questions[0]?.detail.split('\n')).toEqual([
    'For programs with a key: POST /flows/refund-mail/runs',
    'Form page for people with a key: /f/refund-mail',
    'The form page shows the steps and outputs of its runs.',
    'Limits: 2 unfinished runs, 60 runs an hour, 10 MB a request',
    'Sends requests to: shop.example',
    '',
    expect.stringContaining('calls are refused until you confirm it'),
  ]);
  const yes = open({});
  expect(await yes.handlers['publish.flow']({ flow, name: 'mail', page: { isOn: false } })).toEqual({ isDone: true });
  expect(yes.questions[0]?.detail).toContain('/flows/mail/runs\nNo form page\n');
  expect(yes.done).toEqual([
    {
      ...{ flow, by: expect.stringMatching(/./), name: 'mail' },
      limits: { runsAtOnce: 2, perHour: 60, bodyBytes: 10_000_000 },
      page: { isOn: false, needsKey: true, showsProgress: true },
      seen: 'h1',
    },
  ]);
});

test('a change keeps the other settings, and a changed flow is confirmed with them', async () => {
  const { handlers, questions, done } = open({ list: [published] });
  await handlers['publish.flow']({ flow, limits: { perHour: 5 } });
  expect(done).toMatchObject([{ ...settings, limits: { ...settings.limits, perHour: 5 } }]);
  expect(questions).toMatchObject([{ message: 'Change how Refund mail.flow.yaml is published?', allow: 'Change' }]);
  expect(questions[0]?.detail).toContain('Form page for anyone who can reach it: /f/refunds');
  const changed = open({ list: [{ ...published, state: 'changed' }] });
  await changed.handlers['publish.flow']({ flow });
  expect(changed.questions).toMatchObject([{ allow: 'Keep Published' }]);
  expect(changed.done).toMatchObject([settings]);
});

test('nothing is published if the folder changes while the dialog is open', async () => {
  const moved = open({ list: [published] });
  moved.whileAsked.push(() => Object.assign(moved.content, { workspace: '/other' }));
  expect(await moved.handlers['publish.flow']({ flow })).toEqual({ isDone: false });
  moved.content.workspace = '/shop';
  expect(await moved.handlers['publish.createKey']({ flow, name: 'Shop' })).toEqual({ key: null });
  expect(moved.done).toEqual([]);
});

test('the first address needs a service, so the user is asked to keep the program running', async () => {
  const first = open({ isBackground: false });
  await first.handlers['publish.flow']({ flow });
  expect(first.questions.map(({ allow }) => allow)).toEqual(['Publish', 'Keep Running']);
  expect(first.background.state.isOn).toBe(true);
  const later = open({ isBackground: false, list: [published] });
  await later.handlers['publish.flow']({ flow });
  expect(later.questions).toHaveLength(1);
});

test('a key is created after consent, only for a published flow', async () => {
  const { handlers, questions, done } = open({ list: [published] });
  expect(await handlers['publish.createKey']({ flow, name: 'Shop\u202e' })).toEqual({ key: 'mk_secret' });
  expect(questions[0]?.message).toBe('Create the key Shop\\u{202e}?');
  expect(questions[0]?.detail).toContain('start runs at /flows/refunds,');
  expect(done).toMatchObject([{ name: 'Shop\u202e', flows: ['refunds'] }]);
  const other = handlers['publish.createKey']({ flow: 'other.flow.yaml', name: 'Shop' });
  await expect(other).rejects.toMatchObject({ code: 'publish.not-found' });
  const refused = open({ isAllowed: false, list: [published] });
  expect(await refused.handlers['publish.createKey']({ flow, name: 'Shop' })).toEqual({ key: null });
  expect(refused.done).toEqual([]);
});

test('the form page opens in the browser, and the page does not learn its token', async () => {
  const { handlers, opened } = open({});
  expect(await handlers['publish.openForm']({ flow })).toBeUndefined();
  expect(opened).toEqual([url]);
});
