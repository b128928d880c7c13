import { describe, expect, test } from 'vitest';
import { parseCatalogue } from '../catalog/parse-catalogue.ts';
import {
  activateNext,
  completeFlow,
  fillSlots,
  invalidateFlow,
  popFinished,
  requestFlow,
  stackOn,
} from './flow-stack.ts';
import { emptySession } from './session-state.ts';
import { desk, deskText, refusalOf, TestSession } from './testing/test-session.ts';

const by = 'user';

function stacked(...names: readonly string[]): TestSession {
  const session = new TestSession();
  for (const flowName of names) session.take(stackOn(session.state, desk, { flowName, by }));
  return session;
}

describe('a stack', () => {
  test('FS-20 pops the last flow first', () => {
    const session = stacked('a', 'b', 'c');
    const popped: string[] = [];
    while (session.state.stack.length > 0) {
      const [top] = session.state.stack;
      session.take(completeFlow(session.state, { flowId: top!.flowId, result: null }));
      const sweep = popFinished(session.state);
      popped.push(...sweep.events.flatMap((event) => (event.type === 'stack:pop' ? [event.flowId] : [])));
      session.take(sweep);
      if (session.state.stack.length > 0) session.take(activateNext(session.state));
    }
    expect(popped).toEqual(['f3', 'f2', 'f1']);
  });

  test('FS-22 puts a needed flow on top as Active, and the other waits below', () => {
    const session = stacked('a', 'b');
    expect(session.stack).toEqual(['b:Active', 'a:Pending']);
    expect(session.flow('b')).toMatchObject({ stackedOn: 'f1', planId: null });
    expect(session.log.map(({ event }) => event.type)).toEqual([
      ...['stack:push', 'stack:activate'],
      ...['stack:push', 'stack:cover', 'stack:activate'],
    ]);
  });

  test('FS-23 loses a completed flow', () => {
    const session = stacked('a', 'b');
    session.take(completeFlow(session.state, { flowId: 'f2', result: null }));
    session.take(popFinished(session.state));
    expect(session.stack).toEqual(['a:Pending']);
  });

  test('FS-33 keeps a completed flow until the reply starts, then pops it', () => {
    const session = stacked('a');
    session.take(completeFlow(session.state, { flowId: 'f1', result: { found: 1 } }));
    expect(session.stack).toEqual(['a:Completed']);
    expect(session.flow('a').result).toEqual({ found: 1 });
    const { events } = session.take(popFinished(session.state));
    expect(events).toEqual([{ type: 'stack:pop', flowId: 'f1', status: 'Completed', by: 'res' }]);
    expect(session.stack).toEqual([]);
    expect(popFinished(session.state).events).toEqual([]);
  });

  test('FS-25 holds 200 flows, and each event contains the depth', () => {
    const names = ['a', 'b', 'c', 'd'];
    const session = stacked(...Array.from({ length: 200 }, (_, index) => names[index % 4]!));
    expect(session.stack).toHaveLength(200);
    expect(session.stack.filter((flow) => flow.endsWith(':Active'))).toHaveLength(1);
    const depths = session.log.flatMap(({ event }) => (event.type === 'stack:push' ? [event.depth] : []));
    expect(depths).toEqual(Array.from({ length: 200 }, (_, index) => index + 1));
  });

  test('FS-26 rejects a catalog with 65 types, but stacks any number of flows of one type', () => {
    const flows = (count: number) =>
      Array.from(
        { length: count },
        (_, index) => `  - { name: t${index}, intent: R, description: x, policy: { skill: s } }`,
      );
    const text = (count: number) => ['intents: { R: {} }', 'flows:', ...flows(count)].join('\n');
    const { catalogue } = parseCatalogue(text(64));
    expect([...(catalogue?.flows.keys() ?? [])].filter((name) => /^t\d/.test(name))).toHaveLength(64);
    const session = new TestSession();
    for (let count = 0; count < 65; count++) session.take(stackOn(session.state, catalogue!, { flowName: 't0', by }));
    expect(session.state.stack).toHaveLength(65);
    const refused = parseCatalogue(text(65));
    expect(refused.catalogue).toBeNull();
    expect(refused.diagnostics).toMatchObject([{ code: 'dialogue.too-many-flows', range: { line: 67 } }]);
  });

  test('FS-30 keeps a new request in one of the four states below the Active flow until that has ended', () => {
    const session = stacked('a');
    const asked = session.take(requestFlow(session.state, desk, { flowName: 'b', by }));
    expect(asked).toMatchObject({ flowId: 'f2', isContinued: false });
    expect(session.stack).toEqual(['a:Active', 'b:Pending']);
    expect(refusalOf(activateNext(session.state))).toBe('stack.active');
    session.take(completeFlow(session.state, { flowId: 'f1', result: null }));
    expect(session.state.keepGoing).toBe(true);
    expect(refusalOf(activateNext(session.state))).toBe('stack.unswept');
    session.take(popFinished(session.state));
    expect(session.stack).toEqual(['b:Pending']);
    session.take(activateNext(session.state));
    expect(session.stack).toEqual(['b:Active']);
    expect(session.state.stack.every(({ status }) => ['Pending', 'Active'].includes(status))).toBe(true);
  });

  test('FS-40 never inserts a request between a flow and the one it was stacked on, and takes the latest request first', () => {
    const session = stacked('a', 'b');
    session.take(requestFlow(session.state, desk, { flowName: 'c', by }));
    expect(session.stack).toEqual(['b:Active', 'a:Pending', 'c:Pending']);
    session.take(requestFlow(session.state, desk, { flowName: 'd', by }));
    expect(session.stack).toEqual(['b:Active', 'a:Pending', 'd:Pending', 'c:Pending']);
  });

  test('FS-40 starts a request immediately if no flow is Active', () => {
    const session = new TestSession();
    session.take(requestFlow(session.state, desk, { flowName: 'a', by }));
    expect(session.stack).toEqual(['a:Active']);
    expect(session.state.keepGoing).toBe(false);
  });

  test('continues an open flow if the same is requested again', () => {
    const session = stacked('browse', 'a');
    const again = session.take(requestFlow(session.state, desk, { flowName: 'browse', slots: { number: 7 }, by }));
    expect(again).toMatchObject({ flowId: 'f1', isContinued: true });
    expect(session.flow('browse').slots).toEqual({ number: '7' });
    expect(session.stack).toEqual(['a:Active', 'browse:Pending']);
    session.take(invalidateFlow(session.state, { flowId: 'f1', reason: 'abandon' }));
    expect(session.take(requestFlow(session.state, desk, { flowName: 'browse', by })).isContinued).toBe(false);
  });

  test('FS-35 never changes Completed and Invalid', () => {
    const session = stacked('a', 'b');
    session.take(completeFlow(session.state, { flowId: 'f2', result: 1 }));
    session.take(invalidateFlow(session.state, { flowId: 'f1', reason: 'failure' }));
    for (const flowId of ['f1', 'f2']) {
      const before = session.state;
      expect(refusalOf(completeFlow(before, { flowId, result: 2 }))).toBe('flow.ended');
      expect(refusalOf(invalidateFlow(before, { flowId, reason: 'failure' }))).toBe('flow.ended');
      expect(refusalOf(fillSlots(before, desk, { flowId, labels: {} }))).toBe('flow.ended');
      // Even an event cannot change the status.
      session.add({ type: 'stack:activate', flowId });
      session.add({ type: 'stack:cover', flowId });
      session.add({ type: 'stack:complete', flowId, result: 3 });
      session.add({ type: 'stack:invalidate', flowId, reason: 'failure' });
    }
    expect(session.stack).toEqual(['b:Completed', 'a:Invalid']);
    expect(session.flow('b').result).toBe(1);
  });

  test('FS-32 completes only the Active flow', () => {
    const session = stacked('a', 'b');
    expect(refusalOf(completeFlow(session.state, { flowId: 'f1', result: null }))).toBe('flow.not-active');
    expect(refusalOf(completeFlow(session.state, { flowId: 'f9', result: null }))).toBe('flow.unknown');
  });

  test('FS-34 keeps a failed flow as Invalid until it is popped, at any position', () => {
    const session = stacked('a', 'b');
    session.take(invalidateFlow(session.state, { flowId: 'f1', reason: 'failure' }));
    expect(session.stack).toEqual(['b:Active', 'a:Invalid']);
    session.take(popFinished(session.state));
    expect(session.stack).toEqual(['b:Active']);
  });

  test('refuses types that the catalog does not have, suggests a similar one, and changes nothing', () => {
    const outcome = stackOn(emptySession, desk, { flowName: 'brwse', by });
    expect(outcome).toEqual({
      refused: { code: 'flow.unknown-type', message: 'The catalog has no flow "brwse". Did you mean "browse"?' },
    });
    expect(refusalOf(requestFlow(emptySession, desk, { flowName: '__proto__', by }))).toBe('flow.unknown-type');
    expect(deskText).toContain('name: browse');
  });

  test('keeps Internal flows off the stack', () => {
    expect(refusalOf(stackOn(emptySession, desk, { flowName: 'index', by }))).toBe('flow.internal');
    expect(refusalOf(requestFlow(emptySession, desk, { flowName: 'summary', by }))).toBe('flow.internal');
  });

  test('has nothing to activate when empty', () => {
    expect(refusalOf(activateNext(emptySession))).toBe('stack.empty');
  });
});

describe('slot values', () => {
  test('are reported as filled, insufficient or rejected', () => {
    const session = stacked('find');
    const labels = { source: 'inbox', number: 'AB-12', limit: 'many', colour: 'red' };
    const told = session.take(fillSlots(session.state, desk, { flowId: 'f1', labels }));
    expect(told.isFilled).toBe(false);
    expect(told.events).toEqual([
      { type: 'slot:filled', flowId: 'f1', slot: 'source', value: [{ name: 'inbox' }], system: 1, partial: true },
      { type: 'slot:filled', flowId: 'f1', slot: 'number', value: 'AB-12', system: 1 },
      { type: 'slot:rejected', flowId: 'f1', slot: 'limit', problem: 'limit must be a number, not "many".' },
      { type: 'slot:rejected', flowId: 'f1', slot: 'colour', problem: 'find has no slot colour.' },
    ]);
    const more = session.take(fillSlots(session.state, desk, { flowId: 'f1', labels: { source: 'archive' } }));
    expect(more.isFilled).toBe(true);
    expect(session.flow('find').slots).toEqual({ source: [{ name: 'inbox' }, { name: 'archive' }], number: 'AB-12' });
  });
});
