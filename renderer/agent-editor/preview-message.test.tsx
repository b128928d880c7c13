import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { AgentPreview } from '../stores/agents/agent-previews.ts';
import { TooltipProvider } from '../ui/tooltip.tsx';
import { PreviewMessage } from './preview-message.tsx';

Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });

let root: Root;
let element: HTMLElement;

beforeEach(() => {
  element = document.body.appendChild(document.createElement('div'));
  root = createRoot(element);
});

afterEach(() => {
  act(() => root.unmount());
  element.remove();
});

/** @param parts literal text as strings, and values as lists with one element */
async function show(...parts: readonly (string | readonly [value: string])[]): Promise<HTMLElement> {
  let content = '';
  const filled: { start: number; end: number }[] = [];
  for (const part of parts) {
    const text = typeof part === 'string' ? part : part[0];
    if (typeof part !== 'string') filled.push({ start: content.length, end: content.length + text.length });
    content += text;
  }
  const message: AgentPreview['messages'][number] = { role: 'user', content, isCached: false, attachments: [], filled };
  act(() =>
    root.render(
      <TooltipProvider>
        <PreviewMessage message={message} />
      </TooltipProvider>,
    ),
  );
  await vi.waitFor(async () => {
    await act(async () => undefined);
    expect(element.querySelector('.markdown-text')).not.toBeNull();
  });
  return element;
}

const marked = (): (string | null)[] => [...element.querySelectorAll('mark')].map(({ textContent }) => textContent);
const blocks = (): (string | null)[] =>
  [...element.querySelectorAll('.prompt-filled-block')].map((block) => `${block.tagName} ${block.textContent?.trim()}`);

test('shows a prompt as markdown and preserves its lines', async () => {
  await show('Be **brief**.\nSay `unknown`.\n\n- one\n- two\n');
  expect(element.querySelector('strong')?.textContent).toBe('brief');
  expect(element.querySelector('p')?.textContent).toBe('Be brief.\nSay unknown.');
  expect([...element.querySelectorAll('li')].map(({ textContent }) => textContent)).toEqual(['one', 'two']);
});

test('shows tags as text, and nothing in it becomes HTML', async () => {
  await show('<note>\n', ['**Big** <img src=x onerror=alert(1)>'], '\n</note>\n\nText <b>here</b>.');
  expect(element.textContent).toContain('<note>\nBig <img src=x onerror=alert(1)>\n</note>');
  expect(element.textContent).toContain('Text <b>here</b>.');
  expect(element.querySelector('img, b')).toBeNull();
});

test('marks filled-in values in a line, as a whole block, and as a list item', async () => {
  await show(
    'Title: ',
    ['Mills'],
    ' and ',
    ['*flour*'],
    '.\n\n',
    ['A whole\nparagraph'],
    '\n\n- ',
    ['one'],
    '\n- two ',
    ['three'],
  );
  expect(marked()).toEqual(['Mills', 'flour', 'three']);
  expect(blocks()).toEqual(['P A whole\nparagraph', 'LI one']);
});

test('marks a value with several blocks, and one after its own markdown characters', async () => {
  await show('# Note\n\n', ['## Head\n\nText \\* star\n\n```\ncode\n```'], '\n\n> said: ', ['a\\_b'], '\n');
  expect(blocks()).toEqual(['H4 Head', 'P Text * star', 'CODE code']);
  expect(marked()).toEqual(['a_b']);
});

test('shows the plain text after one click', async () => {
  await show('Be **brief**.');
  const button = element.querySelector<HTMLButtonElement>('button[aria-label="As plain text"]');
  act(() => button?.click());
  expect(element.querySelector('pre')?.textContent).toBe('Be **brief**.');
});
