import { expect, test } from 'vitest';
import { assertNever } from './assert-never.ts';

test('assertNever reports the value that the types exclude', () => {
  expect(() => assertNever({ type: 'surprise' } as never)).toThrow('{"type":"surprise"}');
});
