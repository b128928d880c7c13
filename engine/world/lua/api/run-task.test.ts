import { describe, expect, test } from 'vitest';
import { runLua, type TestHost } from '../../../testing/run-lua.ts';

/** Runs a script and returns the host calls it made. */
async function callsOf(code: string): Promise<unknown[]> {
  const calls: unknown[] = [];
  const host: TestHost = {
    pin: (params) => Promise.resolve(calls.push({ pin: params })).then(() => null),
    label: (params) => Promise.resolve(calls.push({ label: params })).then(() => null),
  };
  expect(await runLua(code, { host })).toBe(null);
  return calls;
}

describe('aip.run and aip.task', () => {
  test.each(['run', 'task'])('aip.%s sets labels and pins', async (scope) => {
    const calls = await callsOf(`
      aip.${scope}.set_label("Shown")
      aip.${scope}.pin("one", "text")
      aip.${scope}.pin("two", 1.5, { label = "Cost:", content = "$3" })
      aip.${scope}.pin("three", {})
      aip.${scope}.pin("four", nil)
      aip.${scope}.pin("five", 12)`);
    expect(calls).toEqual([
      { label: { scope, text: 'Shown' } },
      { pin: { scope, iden: 'one', label: 'Pin:', content: 'text' } },
      { pin: { scope, iden: 'two', priority: 1.5, label: 'Cost:', content: '$3' } },
      { pin: { scope, iden: 'three', label: 'Pin:', content: 'No Content' } },
      { pin: { scope, iden: 'four', label: 'Pin:', content: 'No Content' } },
      { pin: { scope, iden: 'five', label: 'Pin:', content: '12' } },
    ]);
  });

  const arity = 'aip...pin(...) – expected 2 or 3 parameters: (iden, content) or (iden, priority, content).';
  test.each([
    ['aip.run.pin()', arity],
    ['aip.run.pin("a")', arity],
    ['aip.task.pin("a", 1, "b", "c")', arity],
    ['aip.run.pin(1, "a")', 'aip...pin(iden, content) – expected <string> for parameter `iden`.'],
    [
      'aip.run.pin("a", "high", "b")',
      'aip...pin(iden, priority, content) – expected <number> for parameter `priority`.',
    ],
    ['aip.run.pin("a", { content = {} })', 'aip...pin(...) – expected <string> or { label, content }'],
    ['aip.task.set_label(nil)', 'aip.task.set_label(label) – expected <string> for parameter `label`.'],
  ])('rejects %s', async (code, message) => {
    await expect(runLua(code)).rejects.toThrow(message);
  });

  test('raises refusals of the host with their message', async () => {
    const host: TestHost = { pin: () => Promise.reject(new Error('Not outside of a task')) };
    const code = 'local ok, err = pcall(aip.task.pin, "a", "b") return { ok = ok, err = tostring(err) }';
    expect(await runLua(code, { host })).toEqual({ ok: false, err: 'Not outside of a task' });
  });
});
