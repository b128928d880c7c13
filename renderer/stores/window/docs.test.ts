import { expect, test } from 'vitest';
import { docsPageOf } from './docs.ts';

test.each([
  ['prompt', false, 'nodes/prompt.html'],
  ['file.read', false, 'nodes/file.read.html'],
  ['tool', true, 'step-flows.html'],
  ['agents/review.aip', false, 'agents.html#an-agent-as-a-type-of-node'],
  ['acme@pack/review', false, 'agents.html#an-agent-as-a-type-of-node'],
  ['acme.crm.find', false, null],
])('the page about %s (step: %s) is %s', (type, isStep, page) => {
  expect(docsPageOf(type, isStep)).toBe(page);
});
