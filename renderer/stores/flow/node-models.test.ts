import { describe, expect, test } from 'vitest';
import { usualModel } from './node-models.ts';

describe('the usual model', () => {
  const none = { defaultModel: null, used: [] };
  const withDefault = { defaultModel: 'd::d', used: ['w::w'] };

  test('is what the nodes of the flow ask most, of equals the last', () => {
    expect(usualModel(['a::a', 'b::b', 'a::a'], none)).toBe('a::a');
    expect(usualModel(['a::a', 'b::b'], withDefault)).toBe('b::b');
  });

  test('is left to the default where the flow leaves it to the default, or names none', () => {
    expect(usualModel([null, null, 'b::b'], withDefault)).toBeUndefined();
    expect(usualModel([], withDefault)).toBeUndefined();
  });

  test('is what the workspace names most when there is no default', () => {
    expect(usualModel([], { ...none, used: ['w::w', 'v::v'] })).toBe('w::w');
    expect(usualModel([null], { ...none, used: ['w::w'] })).toBe('w::w');
    expect(usualModel([null, 'b::b'], none)).toBe('b::b');
  });

  test('is none where nothing is known', () => {
    expect(usualModel([], none)).toBeUndefined();
    expect(usualModel([], null)).toBeUndefined();
  });
});
