import { expect, test } from 'vitest';
import { startRestate } from './test-restate.ts';

test('a killed server continues with its data and ports', async ({ skip }) => {
  const restate = await startRestate();
  if ('missing' in restate) return skip(restate.missing);
  const query = async (): Promise<number> =>
    (
      await fetch(`${restate.admin}/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: JSON.stringify({ query: 'SELECT 1 AS one' }),
      })
    ).status;
  expect(await query()).toBe(200);
  await restate.kill();
  await expect(query()).rejects.toThrow();
  await restate.start();
  await expect.poll(query).toBe(200);
});
