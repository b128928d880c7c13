import { expect, test } from 'vitest';
import type { JsonValue } from '../../language/json/json-value.ts';
import { compileText } from '../../testing/test-run.ts';
import { deadlineName } from '../kernel/requests/ask-deadline.ts';
import { ApprovalTrail } from './approval-trail.ts';
import { planOf } from './graph-plan.ts';

/** Returns a trail over `ok → act` in which the approval has completed with this output. */
function trailOf(output: JsonValue): ApprovalTrail {
  const plan = planOf(
    compileText(`
flow: { name: x }
nodes: [{ id: ok, type: human_approval, input: { title: ok } }, { id: act, type: tool, input: {} }]
edges: [{ from: ok, to: act }]`),
  );
  const trail = new ApprovalTrail(plan, {
    prefix: 'each[1].',
    outputs: new Map([['ok', output]]),
    hasActed: () => false,
  });
  trail.noteRun(0);
  trail.noteFired(0, 1);
  return trail;
}

test('names the approval of a person by its path in the run', () => {
  expect(trailOf({ approved: true, by: 'ann' }).before({ id: 'act' })).toBe('each[1].ok');
});

test('an approval by a deadline, or without an approver, does not count', () => {
  for (const output of [{ approved: true, by: deadlineName }, { approved: false, by: 'ann' }, {}, null]) {
    expect(trailOf(output).before({ id: 'act' })).toBeUndefined();
  }
});
