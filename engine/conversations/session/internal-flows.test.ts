import { describe, expect, test } from 'vitest';
import { memoryCleanup, stateRepair } from './builtin-flows.ts';
import { requestFlow } from './flow-stack.ts';
import { dueInternals, endInternal, readyInternals, scheduleInternals, startInternal } from './internal-flows.ts';
import { activeFlow, emptySession, type SessionState } from './session-state.ts';
import { catalogueOf, desk, refusalOf, TestSession } from './testing/test-session.ts';

function scheduled(...names: readonly string[]): TestSession {
  const session = new TestSession();
  const requests = names.map((flowName) => ({ flowName }));
  session.take(scheduleInternals(session.state, desk, requests));
  return session;
}

const ready = (session: TestSession) => readyInternals(session.state).map(({ flowName }) => flowName);
const idOf = (session: TestSession, name: string) =>
  session.state.internal.find(({ flowName }) => flowName === name)?.flowId ?? '';

function start(session: TestSession, name: string): void {
  session.take(startInternal(session.state, idOf(session, name)));
}

function end(session: TestSession, name: string, entries: readonly string[] = []): void {
  const ended = { flowId: idOf(session, name), status: 'Completed', result: null, entries } as const;
  session.take(endInternal(session.state, ended));
}

describe('Internal flows', () => {
  test('FS-41 run at the same time, in parallel with the Active flow', () => {
    const session = scheduled('index', 'count', 'summary');
    session.take(requestFlow(session.state, desk, { flowName: 'a', by: 'user' }));
    for (const name of ['index', 'count', 'summary']) start(session, name);
    expect(session.state.internal.map(({ status }) => status)).toEqual(['Active', 'Active', 'Active']);
    expect(session.stack).toEqual(['a:Active']);
    expect(activeFlow(session.state)?.flowName).toBe('a');
  });

  test('FS-42 are the only flows that run in the background', () => {
    for (const flowName of ['a', 'close'])
      expect(refusalOf(scheduleInternals(emptySession, desk, [{ flowName }]))).toBe('internal.user-facing');
  });

  test('FS-43 start after their dependencies, and overlap with everything else', () => {
    const session = scheduled('sort', 'index', 'count');
    expect(ready(session)).toEqual(['index', 'count']);
    expect(refusalOf(startInternal(session.state, idOf(session, 'sort')))).toBe('internal.waits');
    start(session, 'index');
    start(session, 'count');
    expect(ready(session)).toEqual([]);
    const dependency = idOf(session, 'index');
    end(session, 'index');
    expect(ready(session)).toEqual(['sort']);
    start(session, 'sort');
    expect(session.log.at(-1)?.event).toMatchObject({ type: 'internal:start', dependsOn: [dependency] });
    end(session, 'sort');
    end(session, 'count');
    expect(session.state.internal).toEqual([]);
  });

  test('FS-43 do not wait for dependencies that are not scheduled', () => {
    expect(ready(scheduled('sort'))).toEqual(['sort']);
  });

  test('FS-43 also start after a failed dependency', () => {
    const session = scheduled('index', 'sort');
    start(session, 'index');
    session.take(endInternal(session.state, { flowId: idOf(session, 'index'), status: 'Invalid', result: null }));
    expect(ready(session)).toEqual(['sort']);
  });

  test('FS-43 are refused with circular or unknown dependencies', () => {
    const circle = [
      { flowName: 'index', dependsOn: ['count'] },
      { flowName: 'count', dependsOn: ['sort'] },
      { flowName: 'sort' },
    ];
    expect(scheduleInternals(emptySession, desk, circle)).toEqual({
      refused: { code: 'internal.cycle', message: 'Internal flows wait for each other in a cycle: f1 → f2 → f3 → f1.' },
    });
    expect(refusalOf(scheduleInternals(emptySession, desk, [{ flowName: 'index', dependsOn: ['index'] }]))).toBe(
      'internal.cycle',
    );
    const lost = [{ flowName: 'index', dependsOn: ['f7'] }];
    expect(refusalOf(scheduleInternals(emptySession, desk, lost))).toBe('internal.unknown-dependency');
    expect(refusalOf(scheduleInternals(emptySession, desk, [{ flowName: 'nobody' }]))).toBe('flow.unknown-type');
  });

  test('wait for one that was scheduled earlier, by its type or id, and are scheduled once', () => {
    const session = scheduled('index');
    start(session, 'index');
    const first = idOf(session, 'index');
    const both = [
      { flowName: 'sort' },
      { flowName: 'count', dependsOn: [first] },
      { flowName: 'index' },
      { flowName: 'sort' },
    ];
    const { flowIds } = session.take(scheduleInternals(session.state, desk, both));
    expect(flowIds).toEqual(['f2', 'f3']);
    expect(session.state.internal.map(({ dependsOn }) => dependsOn)).toEqual([[], [first], [first]]);
  });

  test('start once and end once', () => {
    const session = scheduled('index');
    const flowId = idOf(session, 'index');
    const ended = { flowId, status: 'Completed', result: null } as const;
    expect(refusalOf(endInternal(session.state, ended))).toBe('internal.waits');
    start(session, 'index');
    expect(refusalOf(startInternal(session.state, flowId))).toBe('internal.started');
    end(session, 'index');
    expect(refusalOf(endInternal(session.state, ended))).toBe('internal.unknown');
  });

  test('that are built in give way to those of a catalog, and are due every n turns', () => {
    const own = catalogueOf(`
intents: {}
flows:
  - { name: recap, intent: Internal, policy: { builtin: summary }, every: 3 }
  - { name: memory_cleanup, intent: Internal, policy: { agent: clean.aip } }
`);
    expect([...own.flows.keys()]).toEqual(['recap', 'memory_cleanup', 'state_repair']);
    const due = (turnCount: number) =>
      dueInternals({ ...emptySession, turnCount }, own).map(({ flowName }) => flowName);
    expect([0, 1, 3, 10, 30].map(due)).toEqual([[], [], ['recap'], ['state_repair'], ['recap', 'state_repair']]);
  });
});

/** A background flow that reads the state and later writes a result based on it. */
interface Writer {
  readonly name: string;
  readonly write: (seen: SessionState) => {
    readonly entries?: readonly string[];
    readonly replaces?: readonly string[];
    readonly seen?: readonly string[];
    readonly summary?: string;
  };
}

const writers: readonly Writer[] = [
  { name: 'index', write: () => ({ entries: ['Index found 3.', 'Index lost 1.'] }) },
  {
    name: 'count',
    write: ({ scratchpad }) => ({ entries: [`Counted ${scratchpad.length}.`], seen: scratchpad.map(({ id }) => id) }),
  },
  // Combines all notes it has seen into one.
  {
    name: 'summary',
    write: ({ scratchpad }) => ({
      entries: [scratchpad.map(({ text }) => text).join(' ')],
      replaces: scratchpad.map(({ id }) => id),
      seen: scratchpad.map(({ id }) => id),
      summary: `${scratchpad.length} notes`,
    }),
  },
  { name: 'memory_cleanup', write: (seen) => memoryCleanup(seen) },
];

type Step = { readonly writer: Writer; readonly kind: 'read' | 'write' };

/** Returns all orders of the steps in which each writer reads before it writes. */
function interleavings(left: readonly (readonly Step[])[]): readonly (readonly Step[])[] {
  if (left.every((steps) => steps.length === 0)) return [[]];
  return left.flatMap(([first, ...rest], at) =>
    first === undefined
      ? []
      : interleavings(left.map((steps, index) => (index === at ? rest : steps))).map((order) => [first, ...order]),
  );
}

/** Returns the state after some steps. A writer with a stale view reads again and then writes. */
function play(steps: readonly Step[]): { readonly state: SessionState } {
  const session = scheduled(...new Set(steps.map(({ writer }) => writer.name)));
  for (const text of ['Same.', 'same', 'Other.'])
    session.add({
      type: 'scratchpad:write',
      flowId: 'f0',
      flowName: 'a',
      entries: [{ id: `o-${text}`, text }],
      replaces: [],
    });
  const seen = new Map<string, SessionState>();
  for (const { name } of new Set(steps.map(({ writer }) => writer))) start(session, name);
  for (const { writer, kind } of steps) {
    if (kind === 'read') seen.set(writer.name, session.state);
    else {
      const base = { flowId: idOf(session, writer.name), status: 'Completed', result: null } as const;
      const first = endInternal(session.state, { ...base, ...writer.write(seen.get(writer.name) ?? emptySession) });
      const isStale = refusalOf(first) === 'scratchpad.stale';
      session.take(isStale ? endInternal(session.state, { ...base, ...writer.write(session.state) }) : first);
    }
  }
  return { state: session.state };
}

const core = ({ scratchpad, summary }: SessionState) => ({ texts: scratchpad.map(({ text }) => text), summary });

describe('background writers', () => {
  const groups = writers.flatMap((one, at) =>
    writers
      .slice(at + 1)
      .flatMap((two, then) => [[one, two], ...writers.slice(at + then + 2).map((three) => [one, two, three])]),
  );

  const steps = (writer: Writer): readonly Step[] => [
    { writer, kind: 'read' },
    { writer, kind: 'write' },
  ];

  test('FS-44 write one after the other in some order and lose nothing, for every order of their steps', () => {
    let tried = 0;
    for (const group of groups) {
      const results = permutations(group).map((order) => play(order.flatMap(steps)));
      const serial = new Set(results.map(({ state }) => JSON.stringify(core(state).texts.toSorted())));
      for (const order of interleavings(group.map(steps))) {
        const { state } = play(order);
        tried++;
        const { texts } = core(state);
        expect(serial).toContain(JSON.stringify(texts.toSorted()));
        // Everything that was written exists, by itself or as part of a combined note.
        const all = texts.join(' ');
        if (group.some(({ name }) => name === 'index')) expect(all).toContain('Index found 3. Index lost 1.');
        if (group.some(({ name }) => name === 'count')) expect(all).toMatch(/Counted \d\./);
        expect(all).toContain('Other.');
        expect(state.internal).toEqual([]);
      }
    }
    expect(tried).toBe(6 * 6 + 4 * 90);
  });
});

function permutations<T>(list: readonly T[]): readonly (readonly T[])[] {
  if (list.length === 0) return [[]];
  return list.flatMap((one, at) => permutations(list.filter((_, index) => index !== at)).map((rest) => [one, ...rest]));
}

describe('built-in housekeeping', () => {
  test('removes notes that a later one repeats, and the oldest beyond 48', () => {
    const entry = (id: string, text: string) => ({ id, text, flowId: 'f1', flowName: 'a' });
    const scratchpad = [entry('n1', 'Two books!'), entry('n2', 'Other'), entry('n3', 'two BOOKS')];
    expect(memoryCleanup({ ...emptySession, scratchpad })).toEqual({
      result: { removed: 1 },
      entries: [],
      replaces: ['n1'],
    });
    const many = Array.from({ length: 50 }, (_, index) => entry(`n${index}`, `note ${index}`));
    expect(memoryCleanup({ ...emptySession, scratchpad: many }).replaces).toEqual(['n0', 'n1']);
  });

  test('closes a question about a flow that no longer exists, but no others', () => {
    const ambiguity = { level: 'specific', flowId: 'f1', metadata: {}, observation: '' } as const;
    expect(stateRepair({ ...emptySession, ambiguity })).toEqual([
      { type: 'ambiguity:resolved', level: 'specific', by: 'state_repair' },
    ]);
    const session = new TestSession();
    session.take(requestFlow(session.state, desk, { flowName: 'a', by: 'user' }));
    expect(stateRepair({ ...session.state, ambiguity })).toEqual([]);
    expect(stateRepair({ ...emptySession, ambiguity: { ...ambiguity, flowId: null } })).toEqual([]);
    expect(stateRepair(emptySession)).toEqual([]);
  });
});
