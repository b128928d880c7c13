import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Dialog } from './dialog.tsx';
import { TooltipProvider } from './tooltip.tsx';

const host = document.createElement('div');
const opener = document.createElement('button');

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  document.body.append(host, opener);
});
afterEach(() => document.body.replaceChildren());

test('a dialog focuses its first field and restores the focus when it closes', async () => {
  const root = createRoot(host);
  const draw = async (isOpen: boolean): Promise<void> => {
    await act(async () =>
      root.render(
        <TooltipProvider>
          <Dialog isOpen={isOpen} onClose={() => undefined} title="Title" description="What it is for.">
            <input aria-label="Field" />
          </Dialog>
        </TooltipProvider>,
      ),
    );
    // The focus moves in a separate task.
    await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
  };
  opener.focus();
  await draw(true);
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Field');
  await draw(false);
  expect(document.activeElement).toBe(opener);
  await act(async () => root.unmount());
});
