import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ErrorRecord } from '../../../engine/isomorphic.ts';
import { openTestWindow, type TestWindow } from '../testing/test-window.tsx';
import { ErrorHelp } from './error-help.tsx';

let window: TestWindow;
beforeEach(() => {
  window = openTestWindow({});
});
afterEach(() => window.close());

function textFor(error: ErrorRecord): string | null {
  return window.draw(<ErrorHelp error={error} />).textContent;
}

const refusal = { code: 'effect.denied', message: 'No', details: { rule: 'r', trustHelps: true } };

test('links to the settings by the code of the error or of any of its causes', () => {
  const script = { code: 'lua.error', message: 'Lua error:\nNo', details: { cause: refusal } };
  expect(textFor(refusal)).toBe('Open trust settings');
  expect(textFor(script)).toBe('Open trust settings');
  expect(textFor({ ...script, details: { cause: script } })).toBe('Open trust settings');
  const missingKey = { code: 'model.missing-key', message: 'There is no key' };
  expect(textFor(missingKey)).toBe('Open model settings');
  expect(textFor({ ...script, details: { cause: missingKey } })).toBe('Open model settings');
});

test('does not match the message text, and shows no link if trust would not help', () => {
  for (const message of ['Environment API KEY missing: X', 'To allow it, trust this workspace in Settings']) {
    expect(textFor({ code: 'lua.error', message })).toBe('');
  }
  expect(textFor({ ...refusal, details: { rule: 'r', trustHelps: false } })).toBe('');
});
