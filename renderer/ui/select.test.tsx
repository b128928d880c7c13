import { act, useState } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Dialog } from './dialog.tsx';
import { Field } from './field.tsx';
import { Select, type SelectOption } from './select.tsx';
import { TooltipProvider } from './tooltip.tsx';

const host = document.createElement('div');
let root: Root;

const mills: readonly SelectOption<string>[] = [
  { value: '', text: 'none' },
  { value: 'wind', text: 'Windmill', hint: 'sails', group: 'By air' },
  { value: 'water', text: 'Watermill', group: 'By water' },
  { value: 'tide', text: 'Tide mill', group: 'By water', whyNot: 'The sea is too far away.' },
  { value: 'ship', text: 'Ship mill', group: 'By water' },
];

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  document.body.append(host);
  root = createRoot(host);
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
});

const chosen = vi.fn<(value: string) => void>();

function Mill({ options = mills }: { options?: readonly SelectOption<string>[] }) {
  const [value, setValue] = useState('');
  return (
    <Field label="Mill">
      {(control) => (
        <Select
          {...control}
          value={value}
          options={options}
          onChange={(next) => {
            chosen(next);
            setValue(next);
          }}
        />
      )}
    </Field>
  );
}

/** The focus moves in separate tasks. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
}

async function draw(content: React.ReactNode): Promise<HTMLButtonElement> {
  chosen.mockClear();
  await act(async () => root.render(<TooltipProvider>{content}</TooltipProvider>));
  await settle();
  const button = document.querySelector<HTMLButtonElement>('[role="combobox"]');
  if (button === null) throw new Error('No list');
  act(() => button.focus());
  return button;
}

async function press(key: string): Promise<void> {
  act(() => {
    const init = { key, bubbles: true, cancelable: true };
    document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', init));
    document.activeElement?.dispatchEvent(new KeyboardEvent('keyup', init));
  });
  await settle();
}

const list = () => document.querySelector('[role="listbox"]');
const active = () => document.activeElement?.querySelector('.menu-text')?.textContent;

describe('a select', () => {
  test('arrow keys skip disabled options, and Home and End go to the ends', async () => {
    const button = await draw(<Mill />);
    expect(list()).toBeNull();
    await press('ArrowDown');
    expect(list()?.getAttribute('aria-label')).toBe('Mill');
    expect(active()).toBe('none');
    await press('ArrowDown');
    await press('ArrowDown');
    expect(active()).toBe('Watermill');
    await press('ArrowDown');
    expect(active()).toBe('Ship mill');
    await press('Home');
    expect(active()).toBe('none');
    await press('End');
    expect(active()).toBe('Ship mill');
    await press('Enter');
    expect(chosen.mock.calls).toEqual([['ship']]);
    expect(list()).toBeNull();
    expect(button.textContent).toBe('Ship mill');
    expect(document.activeElement).toBe(button);
  });

  test('typing the beginning of a name selects it, open and closed', async () => {
    const button = await draw(<Mill />);
    await press('w');
    await press('a');
    expect(chosen.mock.calls.at(-1)).toEqual(['water']);
    expect(button.textContent).toBe('Watermill');
    await press('Enter');
    await press('s');
    expect(active()).toBe('Ship mill');
  });

  test('Escape closes it without a change and restores the focus', async () => {
    const button = await draw(<Mill />);
    await press('Enter');
    await press('ArrowDown');
    await press('Escape');
    expect(list()).toBeNull();
    expect(chosen).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(button);
  });

  test('has headings, and explains why an option cannot be selected', async () => {
    await draw(<Mill />);
    await press('Enter');
    const groups = [...document.querySelectorAll('[role="group"]')];
    const nameOf = (group: Element) =>
      document.getElementById(group.getAttribute('aria-labelledby') ?? '')?.textContent;
    expect(groups.map((group) => [nameOf(group), group.querySelectorAll('[role="option"]').length])).toEqual([
      ['By air', 1],
      ['By water', 3],
    ]);
    const about = (text: string) => {
      const option = [...document.querySelectorAll('[role="option"]')].find((one) => one.textContent?.includes(text));
      const id = option?.getAttribute('aria-describedby') ?? '';
      return [option?.getAttribute('aria-disabled'), document.getElementById(id)?.textContent];
    };
    expect(about('Tide mill')).toEqual(['true', 'The sea is too far away.']);
    expect(about('Windmill')).toEqual([null, 'sails']);
    const tide = [...document.querySelectorAll<HTMLElement>('[role="option"]')].find((one) =>
      one.textContent?.includes('Tide mill'),
    );
    act(() => tide?.click());
    expect(chosen).not.toHaveBeenCalled();
    expect(list()).not.toBeNull();
  });

  test('shows full names in tooltips, on the button and in the list', async () => {
    const long = `A mill ${'far and '.repeat(20)}away`;
    await draw(<Mill options={[{ value: '', text: long }]} />);
    await press('Enter');
    const titles = [...document.querySelectorAll('[title]')].map((one) => one.getAttribute('title'));
    expect(titles).toEqual([long, long]);
  });

  test('in a dialog, Escape closes the list first and then the dialog', async () => {
    const onClose = vi.fn();
    const button = await draw(
      <Dialog isOpen onClose={onClose} title="Title" description="What it is for.">
        <Mill />
      </Dialog>,
    );
    await press('Enter');
    expect(active()).toBe('none');
    await press('Escape');
    expect(list()).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    expect(document.activeElement).toBe(button);
    await press('Escape');
    expect(onClose).toHaveBeenCalledOnce();
  });

  test('renders the options of a long list when it opens', async () => {
    const many = Array.from({ length: 60 }, (_, at) => ({ value: String(at), text: `Mill ${at}` }));
    await draw(<Mill options={[{ value: '', text: 'none' }, ...many]} />);
    await press('Enter');
    expect(document.querySelectorAll('[role="option"]')).toHaveLength(61);
  });
});
