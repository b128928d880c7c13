import { expect, test } from 'vitest';
import type { AppWindow } from '../windows/app-window.ts';
import type { ConsentQuestion } from './consent.ts';
import { triggerHandlers } from './trigger-handlers.ts';

const flow = 'refund.flow.yaml';
const weekdays = {
  ...{ flow, trigger: 'weekdays', hash: 'h1', state: 'off', dueAt: Date.parse('2026-11-30T06:30Z') },
  doc: { id: 'weekdays', schedule: { cron: '30 7 * * 1-5', timezone: 'Europe/Berlin' } },
};
const hook = { ...weekdays, trigger: 'hook', state: 'changed', doc: { id: 'hook', webhook: { path: 'shop\u202e' } } };
const signed = {
  ...weekdays,
  trigger: 'signed',
  doc: {
    id: 'signed',
    webhook: {
      path: 'a',
      secret: '{{secret.SHOP}}',
      signature: { style: 'stripe', secret: '{{ secret.STRIPE\u202e }}' },
    },
  },
};
const broken = { ...weekdays, trigger: 'broken', problem: 'The flow has problems.' };
const plan = {
  hosts: ['shop.example'],
  missing: [{ need: { kind: 'private-address', host: '10.0.0.7' }, nodes: ['a'] }],
};

function open(isAllowed: boolean, isBackground = true) {
  const questions: ConsentQuestion[] = [];
  const switched: unknown[] = [];
  const background = {
    state: { isOn: isBackground },
    set(isOn: boolean) {
      this.state = { isOn };
    },
  };
  const content = { workspace: '/shop' };
  const person = {
    async call(name: string, request: unknown) {
      if (name === 'listTriggers') return [weekdays, hook, signed, broken];
      if (name === 'readFlow') return { text: 'flow: {}' };
      if (name === 'findPermissions') return plan;
      switched.push(request);
      return [];
    },
  };
  const window = { content, asPerson: async (act: (one: typeof person) => unknown) => act(person) };
  const ask = async (question: ConsentQuestion): Promise<boolean> => {
    questions.push(question);
    return isAllowed;
  };
  const handlers = triggerHandlers(window as unknown as AppWindow, ask, background);
  return {
    ...{ content, questions, switched, background },
    switchOn: (trigger: string) => handlers['triggers.switchOn']({ flow, trigger }),
  };
}

test('13.8 the system dialog shows what starts and what it may use, and only consent switches the trigger on', async () => {
  const no = open(false);
  expect(await no.switchOn('weekdays')).toEqual({ isDone: false });
  expect(no.switched).toEqual([]);
  const [question] = no.questions;
  expect(question?.message).toBe('Switch on the trigger weekdays of refund.flow.yaml?');
  expect(question?.detail.split('\n')).toEqual([
    'Starts at: 30 7 * * 1-5 (Europe/Berlin)',
    expect.stringMatching(/^Next: Monday,? 30 November 2026 at 07:30$/),
    'Sends requests to: shop.example',
    '',
    'Missing permissions, which its runs will wait for:',
    expect.stringContaining('10.0.0.7'),
    '',
    expect.stringContaining('If the flow or anything that it calls changes'),
  ]);
  const yes = open(true);
  expect(await yes.switchOn('weekdays')).toEqual({ isDone: true });
  expect(yes.switched).toEqual([{ flow, trigger: 'weekdays', isOn: true, seen: 'h1' }]);
});

test('a trigger that is switched on needs a service, so the user is asked to keep the program running', async () => {
  const without = open(true, false);
  await without.switchOn('weekdays');
  expect(without.questions.map(({ allow }) => allow)).toEqual(['Switch On', 'Keep Running']);
  expect(without.background.state.isOn).toBe(true);
  const declined = open(false, false);
  await declined.switchOn('weekdays');
  expect(declined.questions).toHaveLength(1);
  const running = open(true, true);
  await running.switchOn('weekdays');
  expect(running.questions).toHaveLength(1);
});

test('the dialog says that a trigger has changed, and that anyone can start an unprotected one', async () => {
  const { switchOn, questions } = open(false);
  await switchOn('hook');
  expect(questions).toMatchObject([
    {
      message: 'Keep the trigger hook on after the changes to refund.flow.yaml?',
      detail: expect.stringContaining(
        'POST /hooks/shop\\u{202e}\nAnyone who can reach this address can start it.\nSends',
      ),
      allow: 'Keep On',
    },
  ]);
});

test('the dialog lists the secrets with which a webhook checks its callers', async () => {
  const { switchOn, questions } = open(false);
  await switchOn('signed');
  expect(questions[0]?.detail).toContain('POST /hooks/a\nChecks requests with secrets: SHOP, STRIPE\nSends');
});

test('a page cannot ask about a trigger that does not exist or cannot be on', async () => {
  const { switchOn, questions } = open(true);
  await expect(switchOn('other')).rejects.toMatchObject({ code: 'trigger.not-found' });
  await expect(switchOn('broken')).rejects.toMatchObject({ code: 'trigger.unusable' });
  expect(questions).toEqual([]);
});
