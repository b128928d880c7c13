import { act } from 'react';
import { afterEach, expect, test } from 'vitest';
import { openTestWindow, type TestWindow } from '../app/testing/test-window.tsx';
import { PrivateHosts } from './private-hosts.tsx';

let window: TestWindow;
afterEach(() => window.close());

test('13.6 lists the private addresses that a workspace may reach, and revokes them one by one', async () => {
  const forgotten: unknown[] = [];
  window = openTestWindow({
    listRuns: () => [],
    listPrivateHosts: () => ['192.168.1.20', '127.0.0.1:8080'],
    forgetPrivateHost: (host) => {
      forgotten.push(host);
    },
  });
  window.engine.connect();
  const element = window.draw(<PrivateHosts />);
  await window.settle();
  expect(element.textContent).toBe('Flows may reach 192.168.1.20127.0.0.1:8080');
  for (const host of ['127.0.0.1:8080', '192.168.1.20']) {
    const button = element.querySelector<HTMLElement>(`[aria-label="No longer allow ${host}"]`);
    act(() => button?.click());
    await window.settle();
  }
  expect(forgotten).toEqual(['127.0.0.1:8080', '192.168.1.20']);
  expect(element.textContent).toBe('');
});
