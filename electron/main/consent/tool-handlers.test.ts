import { expect, test } from 'vitest';
import { toolHandlers } from './tool-handlers.ts';

const ok = { status: 'success', result: 1 };
const wantsApproval = { status: 'error', metadata: { code: 'ask.unavailable' } };

/** Tries a tool. Returns the calls to the engine, how often the user was asked, and the result. */
async function tryIt(tool: { kind: string; effects: string }, says: boolean, first: unknown = ok) {
  const calls: unknown[] = [];
  let asked = 0;
  const person = {
    async call(name: string, trial?: unknown) {
      if (name === 'listTools') return [{ name: 't', ...tool }];
      calls.push(trial);
      return calls.length === 1 ? first : ok;
    },
  };
  const window = { asPerson: async (act: (client: typeof person) => unknown) => act(person) };
  const consent = async (): Promise<boolean> => {
    asked++;
    return says;
  };
  const handlers = toolHandlers(window as unknown as Parameters<typeof toolHandlers>[0], consent);
  const { result } = await handlers['tools.try']({ tool: 't', params: {} });
  return { calls, asked, result };
}

const trial = { tool: 't', params: {} };

test('12.8 calls a read-only tool of the program without asking', async () => {
  expect(await tryIt({ kind: 'core', effects: 'idempotent' }, false)).toEqual({ calls: [trial], asked: 0, result: ok });
});

test('12.8 calls all other tools only after consent in a system dialog', async () => {
  for (const tool of [
    { kind: 'core', effects: 'external' },
    { kind: 'mcp', effects: 'idempotent' },
  ]) {
    expect(await tryIt(tool, false)).toEqual({ calls: [], asked: 1, result: null });
    expect(await tryIt(tool, true)).toEqual({ calls: [{ ...trial, isAgreed: true }], asked: 1, result: ok });
  }
});

test('asks if a policy requires approval, even for a read-only tool', async () => {
  const tool = { kind: 'core', effects: 'idempotent' };
  expect(await tryIt(tool, false, wantsApproval)).toEqual({ calls: [trial], asked: 1, result: null });
  expect((await tryIt(tool, true, wantsApproval)).calls).toEqual([trial, { ...trial, isAgreed: true }]);
});
