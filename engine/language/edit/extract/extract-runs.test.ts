import fc from 'fast-check';
import { expect, test } from 'vitest';
import { extractIn, outcomeOf, randomExtraction } from '../../../testing/extracted-runs.ts';
import { testRounds } from '../../../testing/test-rounds.ts';

test('BB-34 a random flow has the same output after some of its nodes are extracted', async () => {
  let extracted = 0;
  const numRuns = testRounds(20);
  const property = fc.asyncProperty(
    randomExtraction,
    fc.constantFrom({}, { who: null, none: 1 }),
    async (random, inputs) => {
      const texts = extractIn(random.text, random.nodes);
      if (typeof texts === 'string') return;
      extracted++;
      const before = await outcomeOf(random.text, inputs);
      const after = await outcomeOf(texts.calling, inputs, texts.called);
      expect(after).toEqual(before);
    },
  );
  await fc.assert(property, { numRuns });
  expect(extracted).toBeGreaterThan(numRuns / 10);
}, 600_000);
