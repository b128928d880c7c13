import { expect, test } from 'vitest';
import { toolError, toolNameProblem, toolOfWire, wireName } from './tool-capability.ts';

test.each(['core.file_read', 'look_up', 'shop.look_up', 'files.read-text', 'a.b.c', 'a._b'])(
  'the name %s goes to a model and comes back as it was',
  (name) => {
    expect(toolNameProblem(name)).toBeUndefined();
    expect(wireName(name)).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(toolOfWire(wireName(name))).toBe(name);
  },
);

test.each(['a__b', 'a_.b', 'x___y'])('the name %s is refused, because it would come back as another', (name) => {
  expect(toolNameProblem(name)).toMatch(/two _ together/);
});

test.each(['', 'a b', '.a', 'a..b', 'ä', 'a/b'])('%j is no name', (name) => {
  expect(toolNameProblem(name)).toContain('no name of a tool');
});

test('a failed result is an error with its code, or with its category where it has none', () => {
  const failed = { status: 'error', error_category: 'not_found', message: 'Not here.', retryable: false } as const;
  const metadata = { tool_id: 'a', attempt: 1 };
  expect(toolError({ ...failed, metadata })).toMatchObject({ code: 'tool.not-found', message: 'Not here.' });
  expect(toolError({ ...failed, metadata: { ...metadata, code: 'files.not-found' } })).toMatchObject({
    code: 'files.not-found',
    details: { category: 'not_found', tool_id: 'a', attempt: 1 },
  });
});
