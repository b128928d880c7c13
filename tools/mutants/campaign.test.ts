import { expect, test } from 'vitest';
import { Campaign } from './campaign.mjs';

const mutant = { line: 1, kind: 'x', start: 0, end: 1, shape: 'expression', mutated: '' } as const;
const sample = [
  { ...mutant, id: 1, file: 'src/a.ts' },
  { ...mutant, id: 2, file: 'src/a.ts' },
  { ...mutant, id: 3, file: 'src/b.ts' },
] as const;

function campaignOf(): Campaign {
  const campaign = new Campaign();
  campaign.take([
    { file: '/other/slow.test.ts', tookMs: 600, reached: [2, 3] },
    { file: '/other/slow.test.ts', tookMs: 300, reached: [] },
    { file: '/src/a.test.ts', tookMs: 20, reached: [] },
    { file: '/other/far.test.ts', tookMs: 1, reached: [3] },
    { outside: [1] },
    { done: '/src/a.test.ts' },
    { trying: 2, limitMs: 10 },
    { id: 2, outcome: 'killed', by: 'slow' },
  ]);
  return campaign;
}

test('derives done, reached and settled mutants from the notes of processes', () => {
  const campaign = campaignOf();
  expect([...campaign.times]).toEqual([
    ['/other/slow.test.ts', 900],
    ['/src/a.test.ts', 20],
    ['/other/far.test.ts', 1],
  ]);
  expect([[...campaign.outside], [...campaign.done], campaign.broken]).toEqual([[1], ['/src/a.test.ts'], []]);
  expect([...campaign.outcomes]).toEqual([[2, { outcome: 'killed', by: 'slow' }]]);
  expect(campaign.reachedBy.get(3)).toEqual(new Set(['/other/slow.test.ts', '/other/far.test.ts']));
});

test('a file that starts again in another process is counted once, and only tests that fail now are broken', () => {
  const campaign = campaignOf();
  campaign.take([{ broken: 'x' }]);
  expect(campaign.broken).toEqual(['x']);
  campaign.take([{ file: '/src/a.test.ts', tookMs: 30, reached: [1] }]);
  expect([campaign.times.get('/src/a.test.ts'), campaign.broken]).toEqual([30, []]);
});

test('selects the tests beside a source and those that reach it, fastest first, within the time limit', () => {
  const choice = { sample, folder: '/src', withinMs: 1000 };
  expect(campaignOf().filesFor(sample[0], choice)).toEqual(['/src/a.test.ts', '/other/slow.test.ts']);
  expect(campaignOf().filesFor(sample[0], { ...choice, withinMs: 100 })).toEqual(['/src/a.test.ts']);
});
