import { describe, expect, test } from 'vitest';
import type { EngineError } from '../../base/engine-error.ts';
import type { RunEvent } from '../kernel/events/run-event.ts';
import { type BudgetLimits, BudgetMeter } from './budget.ts';

const step = (id: string, resumed?: true): RunEvent => ({
  type: 'task:start',
  ...{ taskId: `node:${id}`, nodeId: id, nodeType: 'agent' },
  ...(resumed === true ? { resumed } : {}),
});
const answer = { type: 'model:response', usage: { promptTokens: 20, completionTokens: 10 } } as RunEvent;
const limitsOf = (limits: Readonly<Partial<Record<keyof BudgetLimits, number>>>): BudgetLimits =>
  Object.fromEntries(Object.entries(limits).map(([name, limit]) => [name, { limit, place: 'p.yaml:1' }]));

describe('the meter of a run', () => {
  test('reports what was left when the attempt started, even if that attempt is called again after a crash', () => {
    const limits = limitsOf({ steps: 5, tokens: 100 });
    const meter = new BudgetMeter({ limits: () => limits, stop: () => undefined });
    const told = [step('a'), answer, step('b'), answer];
    for (const event of told) meter.take(event, false);
    expect(meter.left()).toEqual({ steps: 3, tokens: 70 });
    const former = () => told.map((event) => ({ event }));
    const later = new BudgetMeter({ limits: () => limits, stop: () => undefined, former });
    later.take(step('b', true), false);
    expect(later.left()).toEqual({ steps: 3, tokens: 70 });
    later.take({ type: 'node:retry', nodeId: 'b', attempt: 1, delayMs: 0, error: { code: 'x', message: '' } }, false);
    expect(later.left()).toEqual({ steps: 3, tokens: 40 });
    // Nodes of a child run do not count as attempts of this run.
    later.take(answer, true);
    later.take(step('input:0'), true);
    expect(later.left()).toEqual({ steps: 3, tokens: 40 });
  });

  test('applies the current limits, including usage from before there were any', () => {
    let limits: BudgetLimits | undefined;
    const stopped: EngineError[] = [];
    const former = () => [{ event: step('a') }, { event: answer }];
    const meter = new BudgetMeter({ limits: () => limits, stop: (error) => stopped.push(error), former });
    meter.take(step('b'), false);
    meter.take(answer, false);
    expect([meter.left(), stopped]).toEqual([{}, []]);
    limits = limitsOf({ tokens: 200, steps: 4 });
    expect(meter.left()).toEqual({ tokens: 170, steps: 2 });
    limits = limitsOf({ tokens: 50 });
    meter.take(step('c'), false);
    expect(stopped).toMatchObject([{ code: 'budget.exceeded', details: { budget: 'tokens', used: 60, limit: 50 } }]);
    meter.take(step('d'), false);
    expect(stopped).toHaveLength(1);
  });
});
