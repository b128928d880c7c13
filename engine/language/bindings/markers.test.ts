import { describe, expect, test } from 'vitest';
import { errorMarker, isErrorMarker, isMarker, isSkipMarker, markAgain, skipMarker } from './markers.ts';

describe('markers', () => {
  test('a skip marker contains that the node was skipped, and why', () => {
    expect(skipMarker('when')).toEqual({ skipped: true, reason: 'when' });
  });

  test('an error marker keeps code, message, stack and attempts of the error, and nothing else', () => {
    const error = { code: 'model.unavailable', message: 'No answer', nodeId: 'ask', recoverable: true, stack: 'at x' };
    expect(errorMarker(error, 3)).toEqual({
      failed: true,
      error: { code: 'model.unavailable', message: 'No answer', stack: 'at x' },
      attempts: 3,
    });
    expect(errorMarker({ code: 'node.bad-input', message: 'No' }, 0).error).not.toHaveProperty('stack');
  });

  test('distinguishes the kinds of markers', () => {
    const skip = skipMarker('disabled');
    const failure = errorMarker({ code: 'a.b', message: '' }, 1);
    expect([isSkipMarker(skip), isErrorMarker(skip), isMarker(skip)]).toEqual([true, false, true]);
    expect([isSkipMarker(failure), isErrorMarker(failure), isMarker(failure)]).toEqual([false, true, true]);
  });

  test('data that only looks like a marker is not one, and a deserialized marker can be restored', () => {
    const read = JSON.parse(JSON.stringify(skipMarker('when')));
    expect([isMarker(read), isSkipMarker(read), isErrorMarker(read)]).toEqual([false, false, false]);
    markAgain(read);
    expect([isMarker(read), isSkipMarker(read), isErrorMarker(read)]).toEqual([true, true, false]);
  });

  test('cannot be modified', () => {
    const failure = errorMarker({ code: 'a.b', message: '' }, 1);
    expect([skipMarker('edge'), failure, failure.error].map(Object.isFrozen)).toEqual([true, true, true]);
  });

  test.each([
    [{ skipped: true, reason: 'when' }],
    [{ failed: true, error: { code: 'a.b', message: 'x' }, attempts: 1 }],
    [{ skipped: true }],
    [{ skipped: false, reason: 'when' }],
    [{ skipped: true, reason: 'tired' }],
    [{ failed: true, attempts: 1 }],
    [{ failed: true, error: 'x', attempts: 1 }],
    [[true, 'when']],
    [null],
    ['skipped'],
    [undefined],
  ])('an output such as %j is not a marker', (value) => {
    expect(isMarker(value)).toBe(false);
  });
});
