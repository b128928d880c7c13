/** Tests that every rule is on the shared list of both hosts, or has a reason not to be. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { hostRules } from './host-rules.ts';
import { refusedFlows } from './refused-flows.ts';
import { localOnly, notAboutHosts, ruleNumbers } from './rule-places.ts';

const number = /(?:FE|X)-\d\d|1[23]\.\d+[a-i]?/g;
const listed = [...hostRules, ...refusedFlows].flatMap(({ rule }) => [...rule.matchAll(number)].map(([one]) => one));

test('every rule is on the list, or has a reason not to be', () => {
  // 12.1 without a letter is the rule that its letters describe.
  const places = [...new Set(listed), ...Object.keys(localOnly), ...Object.keys(notAboutHosts)];
  expect(places.filter((one) => one !== '12.1').sort()).toEqual([...ruleNumbers].sort());
});

test('at most five rules are for the local host alone', () => {
  expect(Object.keys(localOnly).length).toBeLessThanOrEqual(5);
});

test('every case names its rule first', () => {
  for (const { rule } of [...hostRules, ...refusedFlows]) expect(rule).toMatch(/^(?:(?:FE|X)-\d\d|1[23]\.\d+[a-i]?) /);
});

test.each(['executor', 'durable'])('the host in engine/host/%s is tested with the whole list', (folder) => {
  const text = readFileSync(path.resolve(import.meta.dirname, `../../host/${folder}/host-rules.test.ts`), 'utf8');
  expect(text.match(/^test\.for\((?:hostRules|refusedFlows)\.map/gm)).toHaveLength(2);
});
