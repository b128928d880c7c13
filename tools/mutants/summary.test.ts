import { expect, test } from 'vitest';
import { describeTried } from './summary.mjs';

test('lists undetected mutants, then percentages by folder and in total', () => {
  const mutant = {
    id: 1,
    line: 7,
    kind: '! removed',
    start: 0,
    end: 1,
    shape: 'expression',
    mutated: 'a\n  .b',
  } as const;
  const tried = [
    { ...mutant, file: 'engine/runtime/flow/run.ts', outcome: 'killed' },
    { ...mutant, file: 'engine/language/edit/yaml/patch.ts', outcome: 'survived' },
    { ...mutant, file: 'engine/language/edit/yaml/patch.ts', outcome: 'timed out' },
    { ...mutant, file: 'engine/language/bindings/when.ts', outcome: 'not reached' },
  ];
  expect(describeTried(tried, 3).split('\n')).toEqual([
    'survived  engine/language/edit/yaml/patch.ts:7  ! removed  a .b',
    'not reached  engine/language/bindings/when.ts:7  ! removed  a .b',
    'engine/language/edit: 50.0 % of 2 detected (0 killed, 1 timed out, 1 survived, 0 not reached)',
    'engine/language: 0.0 % of 1 detected (0 killed, 0 timed out, 0 survived, 1 not reached)',
    'engine/runtime/flow: 100.0 % of 1 detected (1 killed, 0 timed out, 0 survived, 0 not reached)',
    'All: 50.0 % of 4 detected (1 killed, 1 timed out, 1 survived, 1 not reached), seed 3',
  ]);
});
