import { describe, expect, test } from 'vitest';
import { EngineError, toErrorRecord } from '../../../base/engine-error.ts';
import {
  cancellation,
  createCancelScope,
  isCancellation,
  isCancelledStop,
  Stopped,
  stopReason,
} from './cancel-scope.ts';

describe('the tree', () => {
  test('a child stops with its parent and for the same reason; the parent outlives its child', () => {
    const parent = createCancelScope();
    const [first, second] = [parent.child(), parent.child()];
    const grandchild = first.child();
    const early = new EngineError({ code: 'node.timeout', message: 'too slow' });
    first.cancel(early);
    const late = cancellation();
    parent.cancel(late);
    expect([parent, first, second, grandchild].map(({ signal }) => signal.reason)).toEqual([late, early, late, early]);
  });

  test('a shielded scope outlives the scope it was made from', () => {
    const scope = createCancelScope();
    const cleanUp = scope.shielded();
    scope.cancel(cancellation());
    expect(cleanUp.signal.aborted).toBe(false);
    cleanUp.cancel(cancellation());
    expect(cleanUp.signal.aborted).toBe(true);
  });

  test('keeps the first reason', () => {
    const scope = createCancelScope();
    const first = cancellation();
    scope.cancel(first);
    scope.cancel(cancellation());
    expect(scope.signal.reason).toBe(first);
  });

  test('a scope below a stopped one is stopped from the start', () => {
    const parent = createCancelScope();
    parent.cancel(cancellation());
    expect(parent.child().signal.aborted).toBe(true);
  });

  test('a closed scope is detached from its parent', () => {
    const parent = createCancelScope();
    const child = parent.child();
    child.close();
    parent.cancel(cancellation());
    expect(child.signal.aborted).toBe(false);
  });

  test('follows an external signal', () => {
    const controller = new AbortController();
    const scope = createCancelScope(controller.signal);
    controller.abort();
    expect(scope.signal.aborted).toBe(true);
  });
});

test('an abort without a reason counts as canceled on request, and an engine error as itself', () => {
  const bare = new AbortController();
  bare.abort();
  const full = new EngineError({ code: 'store.full', message: 'The disk is full' });
  const scope = createCancelScope();
  scope.cancel(full);
  expect(isCancellation(stopReason(bare.signal))).toBe(true);
  expect(stopReason(scope.signal)).toBe(full);
  expect(isCancellation(full)).toBe(false);
});

test('the error of a runner contains everything in the reason, and only this error counts as canceled', () => {
  const full = new EngineError({ code: 'store.full', message: 'The disk is full', details: { free: 0 } });
  expect(toErrorRecord(new Stopped(full))).toEqual(toErrorRecord(full));
  expect([new Stopped(cancellation()), new Stopped(full), cancellation()].map(isCancelledStop)).toEqual([
    true,
    false,
    false,
  ]);
});
