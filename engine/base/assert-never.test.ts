import { expect, test } from 'vitest';
import { assertNever } from './assert-never.ts';

test('assertNever names the value that the types say cannot exist', () => {
  expect(() => assertNever({ type: 'surprise' } as never)).toThrow('{"type":"surprise"}');
});
