import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { TabSet } from './tab-set.tsx';

test('the focus is always on a tab, even if the row received it after a click on the open tab', async () => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  const host = document.body.appendChild(document.createElement('div'));
  const root = createRoot(host);
  const tabs = ['One', 'Two'].map((text) => ({ value: text, text, content: text }));
  await act(async () => root.render(<TabSet label="Tabs" value="Two" tabs={tabs} onChange={() => undefined} />));
  const list = host.querySelector<HTMLElement>('[role="tablist"]')!;
  const open = host.querySelector<HTMLElement>('[data-state="active"][role="tab"]')!;
  act(() => open.focus());
  act(() => void open.dispatchEvent(new MouseEvent('mousedown', { bubbles: true })));
  act(() => open.blur());
  act(() => list.focus());
  expect(document.activeElement).toBe(open);
  await act(async () => root.unmount());
  host.remove();
});
