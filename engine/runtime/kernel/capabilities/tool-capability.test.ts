import { expect, test } from 'vitest';
import { toolError, toolNameProblem, toolOfWire, wireName } from './tool-capability.ts';

test.each(['core.file_read', 'look_up', 'shop.look_up', 'files.read-text', 'a.b.c', 'a._b'])(
  'the name %s is unchanged after a round trip through a model',
  (name) => {
    expect(toolNameProblem(name)).toBeUndefined();
    expect(wireName(name)).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(toolOfWire(wireName(name))).toBe(name);
  },
);

test.each(['a__b', 'a_.b', 'x___y'])(
  'rejects the name %s because it would come back from a model as another name',
  (name) => {
    expect(toolNameProblem(name)).toMatch(/contains __/);
  },
);

test.each(['', 'a b', '.a', 'a..b', 'ä', 'a/b'])('rejects %j as a tool name', (name) => {
  expect(toolNameProblem(name)).toContain('is not a valid tool name');
});

test('converts a failed result to an error with its code, or with its category if it has no code', () => {
  const failed = { status: 'error', error_category: 'not_found', message: 'Not here.', retryable: false } as const;
  const metadata = { tool_id: 'a', attempt: 1 };
  expect(toolError({ ...failed, metadata })).toMatchObject({ code: 'tool.not-found', message: 'Not here.' });
  expect(toolError({ ...failed, metadata: { ...metadata, code: 'files.not-found' } })).toMatchObject({
    code: 'files.not-found',
    details: { category: 'not_found', tool_id: 'a', attempt: 1 },
  });
});
