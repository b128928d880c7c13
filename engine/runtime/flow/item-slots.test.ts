import { expect, test } from 'vitest';
import { ItemSlots, type LeaveItem } from './item-slots.ts';

/** Enters `times` times, and returns the functions to leave for those that entered immediately. */
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

test('allows a thousand items, plus one for each loop, at a time; the others wait in order', async () => {
  const slots = new ItemSlots();
  const late: number[] = [];
  const leaves = await enter(slots.forLoop(), 1005, late);
  expect(leaves).toHaveLength(1001);
  // The first item uses the loop's own slot, and the next one a slot of the run.
  leaves[0]?.();
  leaves[1]?.();
  await Promise.resolve();
  expect(late).toEqual([1001, 1002]);
});

test('another loop still processes one item at a time until slots are free again', async () => {
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

test('all slots are free after all items have left', async () => {
  const slots = new ItemSlots();
  for (const leave of await enter(slots.forLoop(), 1001, [])) leave();
  expect(await enter(slots.forLoop(), 2000, [])).toHaveLength(1001);
});
