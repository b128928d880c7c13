import { describe, expect, test } from 'vitest';
import { maxPinBytes } from '../pinned-outputs.ts';
import { engineContract } from './engine-contract.ts';

const start = { path: 'a.flow.yaml', text: 'flow:', inputs: {} };

function isTaken(call: 'startRun' | 'rerunFrom' | 'planRerun' | 'planNode', request: unknown): boolean {
  return engineContract[call].args.safeParse([request]).success;
}

/** Returns data nested too deeply for a recursive function. */
function deep(): unknown {
  let value: unknown = 1;
  for (let depth = 0; depth < 50_000; depth++) value = [value];
  return value;
}

const circle: { self?: unknown } = {};
circle.self = circle;

describe('BB-45 BB-46 BB-47 a part of a flow and pins in calls from a window', () => {
  test.each([
    [{}],
    [{ part: { only: 'a' } }],
    [{ part: { to: 'a' }, pins: {} }],
    [{ pins: { a: null, b: 'text', c: [1, { d: [] }] } }],
    [{ pins: { big: 'x'.repeat(maxPinBytes - 2) } }],
  ])('accepts %#', (more) => {
    expect(isTaken('startRun', { ...start, ...more })).toBe(true);
    expect(isTaken('rerunFrom', { runId: 'r', ...more })).toBe(true);
    expect(isTaken('planRerun', { runId: 'r', nodeId: 'n', ...more })).toBe(true);
  });

  test.each([
    ['a part of an unknown kind', { part: {} }],
    ['two parts at once', { part: { only: 'a', to: 'b' } }],
    ['a part that is not text', { part: { only: ['a'] } }],
    ['an empty name', { part: { to: '' } }],
    ['a name that is too long', { part: { to: 'a'.repeat(2000) } }],
    ['a part that is undefined', { part: undefined }],
    ['null', { part: null }],
    ['a list of pins', { pins: [1] }],
    ['an undefined output', { pins: { a: undefined } }],
    ['a date', { pins: { a: new Date(0) } }],
    ['a Map', { pins: { a: new Map() } }],
    ['a number that JSON cannot represent', { pins: { a: [Number.NaN] } }],
    ['a large whole number', { pins: { a: 1n } }],
    ['a circular reference', { pins: { a: circle } }],
    ['an output nested too deeply', { pins: { a: deep() } }],
    ['an output that is too long', { pins: { a: 'x'.repeat(maxPinBytes) } }],
    ['an output of 50 MB in small parts', { pins: { a: Array.from({ length: 3_000_000 }, () => 'abcdefghijklmnop') } }],
    ['too many outputs', { pins: Object.fromEntries(Array.from({ length: 1_001 }, (_, i) => [`n${i}`, 1])) }],
    [
      'outputs that are too large together',
      { pins: Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`n${i}`, 'x'.repeat(maxPinBytes - 2)])) },
    ],
  ])('rejects %s', (_, more) => {
    expect(isTaken('startRun', { ...start, ...more })).toBe(false);
    expect(isTaken('rerunFrom', { runId: 'r', ...more })).toBe(false);
  });

  test('planning a node accepts only a workspace path, a node and pins', () => {
    const plan = { path: 'a.flow.yaml', text: '', nodeId: 'a' };
    expect(isTaken('planNode', plan)).toBe(true);
    expect(isTaken('planNode', { ...plan, pins: { b: 1 } })).toBe(true);
    expect(isTaken('planNode', { ...plan, path: '../a.flow.yaml' })).toBe(false);
    expect(isTaken('planNode', { ...plan, inputs: {} })).toBe(false);
    expect(isTaken('planNode', { ...plan, pins: { b: deep() } })).toBe(false);
  });
});

test('starts and simulations accept only the three autonomy levels', () => {
  const report = (request: unknown): boolean => engineContract.simulateAutonomy.args.safeParse([request]).success;
  for (const level of ['suggest_only', 'semi_auto', 'full_auto']) {
    expect(isTaken('startRun', { ...start, autonomy: level })).toBe(true);
    expect(report({ runId: 'r', level })).toBe(true);
  }
  for (const level of ['', 'none', 'Semi_auto', null, undefined, ['semi_auto'], { level: 'semi_auto' }]) {
    expect(isTaken('startRun', { ...start, autonomy: level })).toBe(false);
    expect(report({ runId: 'r', level })).toBe(false);
  }
  expect(report({ runId: 'r', level: 'semi_auto', more: 1 })).toBe(false);
  expect(isTaken('rerunFrom', { runId: 'r', autonomy: 'semi_auto' })).toBe(false);
});
