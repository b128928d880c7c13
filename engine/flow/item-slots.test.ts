import { expect, test } from 'vitest';
import { ItemSlots, type LeaveItem } from './item-slots.ts';

/** Enters so often, and gives what those who got in at once may leave by. */
async function enter(loop: { enter(): LeaveItem | Promise<LeaveItem> }, times: number, log: number[]) {
  const leaves: LeaveItem[] = [];
  for (let index = 0; index < times; index++) {
    const entered = loop.enter();
    if (typeof entered === 'function') leaves.push(entered);
    else void entered.then((leave) => leaves.push(leave) && log.push(index));
  }
  await Promise.resolve();
  return leaves;
}

test('a thousand items and one of each loop are under way at a time; the others wait in order', async () => {
  const slots = new ItemSlots();
  const late: number[] = [];
  const leaves = await enter(slots.forLoop(), 1005, late);
  expect(leaves).toHaveLength(1001);
  // The first item's place is the loop's own, the next one's is of the run.
  leaves[0]?.();
  leaves[1]?.();
  await Promise.resolve();
  expect(late).toEqual([1001, 1002]);
});

test('another loop still gets one item through at a time, until there are places again', async () => {
  const slots = new ItemSlots();
  const outer = await enter(slots.forLoop(), 1001, []);
  const late: number[] = [];
  const inner = await enter(slots.forLoop(), 4, late);
  expect(inner).toHaveLength(1);
  inner[0]?.();
  await Promise.resolve();
  expect(late).toEqual([1]);
  outer[5]?.();
  await Promise.resolve();
  expect(late).toEqual([1, 2]);
  inner[1]?.();
  inner[2]?.();
  await Promise.resolve();
  expect(late).toEqual([1, 2, 3]);
});

test('when all have left, all places are free again', async () => {
  const slots = new ItemSlots();
  for (const leave of await enter(slots.forLoop(), 1001, [])) leave();
  expect(await enter(slots.forLoop(), 2000, [])).toHaveLength(1001);
});
