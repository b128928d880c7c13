import { describe, expect, test } from 'vitest';
import { usualModel } from './node-models.ts';

describe('the usual model', () => {
  const none = { defaultModel: null, used: [] };
  const withDefault = { defaultModel: 'd::d', used: ['w::w'] };

  test('is the one used most by the nodes of the flow, or the last of those used equally', () => {
    expect(usualModel(['a::a', 'b::b', 'a::a'], none)).toBe('a::a');
    expect(usualModel(['a::a', 'b::b'], withDefault)).toBe('b::b');
  });

  test('is the default if the nodes of the flow use the default, or no model', () => {
    expect(usualModel([null, null, 'b::b'], withDefault)).toBeUndefined();
    expect(usualModel([], withDefault)).toBeUndefined();
  });

  test('is the one used most in the workspace without a default', () => {
    expect(usualModel([], { ...none, used: ['w::w', 'v::v'] })).toBe('w::w');
    expect(usualModel([null], { ...none, used: ['w::w'] })).toBe('w::w');
    expect(usualModel([null, 'b::b'], none)).toBe('b::b');
  });

  test('is undefined if nothing is known', () => {
    expect(usualModel([], none)).toBeUndefined();
    expect(usualModel([], null)).toBeUndefined();
  });
});
