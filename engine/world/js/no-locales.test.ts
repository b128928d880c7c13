import 'virtual:js-worker';
import { afterAll, describe, expect, test } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import { createJsRuntime } from './js-runtime.ts';

const runtime = createJsRuntime();
afterAll(() => runtime.close());

function run(code: string): Promise<JsonValue> {
  const limits = { signal: new AbortController().signal, timeoutMs: null };
  return runtime.run({ code, inputText: '{}', maxResultBytes: 1000 }, { log: async () => null }, limits);
}

describe('rejects language-specific functions by name, because their language would be ignored', () => {
  test.each([
    ['return new Intl.NumberFormat("de").format(1234.5)', 'Intl.NumberFormat'],
    ['return Intl.DateTimeFormat().resolvedOptions()', 'Intl.DateTimeFormat'],
    ['return (1234.5).toLocaleString("de-DE")', 'toLocaleString with a locale'],
    ['return new Date(0).toLocaleDateString(undefined, { weekday: "long" })', 'toLocaleDateString with a locale'],
    ['return "I".toLocaleLowerCase("tr")', 'toLocaleLowerCase with a locale'],
    ['return "a".localeCompare("b", "sv")', 'localeCompare with a locale'],
    ['return [1.5].toLocaleString("de")', 'toLocaleString with a locale'],
  ])('%s', async (code, words) => {
    await expect(run(code)).rejects.toThrow(`${words} is not available here`);
  });

  test.each<[string, JsonValue]>([
    ['return typeof Intl', 'object'],
    ['return (5).toLocaleString()', '5'],
    ['return ["b", "a"].sort((x, y) => x.localeCompare(y))', ['a', 'b']],
    ['return "ä".toLocaleUpperCase()', 'Ä'],
  ])('and %s works', async (code, value) => {
    expect(await run(code)).toEqual(value);
  });
});
