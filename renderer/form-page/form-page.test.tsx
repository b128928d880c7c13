/** Tests what people read when the service refuses something. */
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FormPage } from './form-page.tsx';

const form = {
  title: 'Greet',
  fields: [{ name: 'who', label: 'Who', type: 'string', isRequired: false }],
  mostBytes: 1,
  mostFiles: 1,
};

/** Answers by `METHOD path`: a code of an error, or a body. */
let answers: Record<string, string | object>;
let element: HTMLElement;
let root: Root;
let address: string;

beforeEach(() => {
  Object.assign(globalThis, { IS_REACT_ACT_ENVIRONMENT: true });
  address = location.href;
  history.replaceState(null, '', '/f/greet');
  vi.stubGlobal('fetch', async (path: string, { method = 'GET' }: RequestInit) => {
    const answer = answers[`${method} ${path}`] ?? {};
    if (typeof answer === 'object') return Response.json(answer);
    return Response.json({ error: { code: answer, message: 'For programs.' } }, { status: 400 });
  });
  element = document.body.appendChild(document.createElement('div'));
  root = createRoot(element);
});
afterEach(async () => {
  await act(async () => root.unmount());
  element.remove();
  sessionStorage.clear();
  vi.unstubAllGlobals();
  history.replaceState(null, '', address);
  document.title = '';
});

async function open(): Promise<void> {
  await act(async () => root.render(<FormPage />));
}

async function submit(): Promise<void> {
  await act(async () => element.querySelector('form')?.requestSubmit());
}

const shown = (): string => element.textContent ?? '';

test('a wrong key is reported once, at the field', async () => {
  answers = { 'GET /f/greet/form.json': 'http.unauthorized', 'POST /f/greet/session': 'http.unauthorized' };
  await open();
  const input = element.querySelector('input');
  // The form does not submit without a key.
  input?.removeAttribute('required');
  await submit();
  expect(shown().split('This key does not open this form.')).toHaveLength(2);
  expect(document.activeElement).toBe(input);
  expect(input?.getAttribute('aria-invalid')).toBe('true');
});

test('a refused start is explained in words for people, and another refusal in those of the service', async () => {
  answers = { 'GET /f/greet/form.json': form, 'POST /flows/greet/runs': 'firing.limited' };
  await open();
  await submit();
  expect(shown()).toContain('This was started too often in the last hour.');
  expect(shown()).not.toContain('For programs.');
  answers['POST /flows/greet/runs'] = 'flow.bad-inputs';
  await submit();
  expect(shown()).toContain('For programs.');
});

test('a missing form is not asked for', async () => {
  answers = { 'GET /f/greet/form.json': form };
  document.documentElement.dataset['missing'] = '';
  await open();
  delete document.documentElement.dataset['missing'];
  expect(shown()).toContain('No form at this address');
  expect(element.querySelector('form')).toBeNull();
});
