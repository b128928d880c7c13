import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import type { DeliverySetting, DeliveryState } from '../stores/window/delivery.ts';
import { typeInto } from '../ui/testing/type-into.ts';
import { MessagesTab } from './messages-tab.tsx';

let window: TestWindow;
afterEach(() => window.close());

async function openTab(setting: DeliverySetting, isAllowed = true) {
  const asked: unknown[] = [];
  let known: DeliveryState = { setting, problem: null };
  window = openTestWindow(
    {},
    {
      'delivery.read': () => known,
      'delivery.set': (next) => {
        asked.push(next);
        if (isAllowed) known = { setting: next, problem: null };
        if (isAllowed) window.tellFromMain('delivery.changed', known);
        return { isDone: isAllowed };
      },
      'delivery.test': () => ({ problem: asked.push('test') > 2 ? 'ntfy.sh answered 500' : null }),
    },
  );
  window.stores.inbox.getState().follow();
  const tab = window.draw(<MessagesTab />);
  await window.settle();
  const press = async (name: string): Promise<void> => {
    const all = [...tab.querySelectorAll<HTMLElement>('button, [role="radio"]')];
    const found = all.find((one) => (one.getAttribute('aria-label') ?? one.textContent) === name);
    if (found === undefined) throw new Error(`There is no button ${name} in ${tab.textContent}`);
    act(() => found.click());
    await window.settle();
  };
  const type = (label: string, text: string): void => {
    const field = [...tab.querySelectorAll('label')].find((one) => one.textContent?.startsWith(label));
    const control = field?.htmlFor === undefined ? null : document.getElementById(field.htmlFor);
    if (!(control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement)) throw new Error(label);
    act(() => {
      typeInto(control, text);
    });
  };
  const words = (): string => tab.textContent ?? '';
  return { tab, asked, press, type, words };
}

test('12.6 a web request can be entered, saved and tested, and an invalid one is reported at its field', async () => {
  const { asked, press, type, words } = await openTab({ via: 'nothing' });
  await press('A web request');
  type('Address', 'ntfy.sh/mine');
  await press('Save');
  expect(words()).toContain('Enter an address that starts with http:// or https://');
  type('Address', 'https://ntfy.sh/mine');
  type('Headers', 'Title: {{title}}\nnonsense');
  await press('Save');
  expect(words()).toContain('Enter one header per line');
  expect(asked).toEqual([]);
  type('Headers', 'Title: {{title}}\n\nClick: {{link}}');
  type('Body', '{{text}}');
  await press('Save');
  const headers = { Title: '{{title}}', Click: '{{link}}' };
  expect(asked).toEqual([{ via: 'request', url: 'https://ntfy.sh/mine', headers, body: '{{text}}' }]);
  await press('Send a test');
  expect(words()).toContain('The test was sent.');
  await press('Send a test');
  expect(words()).toContain('ntfy.sh answered 500');
});

test('12.6 a program has one argument per line, and is not saved if the user does not allow it', async () => {
  const { asked, press, type, words } = await openTab(
    { via: 'command', program: 'mail', args: ['-s', '{{title}}'] },
    false,
  );
  type('Program', '');
  await press('Save');
  expect(words()).toContain('Enter a program');
  type('Program', ' notify-send ');
  type('Arguments', '{{title}}\n{{text}}\n');
  await press('Save');
  expect(asked).toEqual([{ via: 'command', program: 'notify-send', args: ['{{title}}', '{{text}}'] }]);
  expect(words()).toContain('Nothing was changed.');
});
