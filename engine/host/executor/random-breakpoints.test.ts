/**
 * Tests that random flows, in which people stop at breakpoints, edit inputs, skip nodes and change outputs, in one process
 * after the other, have the outputs that a plain evaluation of the same flow has.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import type { RunId } from '../../base/ids.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import type { JsonMap, JsonValue } from '../../language/json/json-value.ts';
import { foldRun } from '../../runtime/kernel/events/fold-run.ts';
import { emptyRunState } from '../../runtime/kernel/events/run-state.ts';
import { builtinNodes } from '../../runtime/nodes/builtin-nodes.ts';
import { createNodeRegistry } from '../../runtime/nodes/node-registry.ts';
import { createTestExecutor, type TestExecutor } from '../../testing/executor-world.ts';
import { testNode } from '../../testing/test-node.ts';
import { testRounds } from '../../testing/test-rounds.ts';

/** A node that adds the outputs of earlier ones to its own number. */
interface Adder {
  readonly own: number;
  /** Which of the earlier nodes it uses, as bits. */
  readonly uses: number;
  readonly hasBreakpoint: boolean;
}

/** What a person does at a stop. */
interface Stop {
  readonly action: 'continue' | 'step' | 'skip' | 'edit';
  readonly value: number;
  /** Selects the node with the first changed output, if any. */
  readonly changed: number | null;
  /** Another process continues. */
  readonly isLeft: boolean;
}

const flows = fc.record({
  nodes: fc.array(fc.record<Adder>({ own: fc.nat(99), uses: fc.nat(255), hasBreakpoint: fc.boolean() }), {
    ...{ minLength: 2, maxLength: 8 },
  }),
  maxParallel: fc.integer({ min: 1, max: 3 }),
});
const stops = fc.array(
  fc.record<Stop>({
    action: fc.constantFrom('continue', 'step', 'skip', 'edit'),
    value: fc.integer({ min: 1000, max: 9999 }),
    changed: fc.option(fc.nat(7)),
    isLeft: fc.boolean(),
  }),
  { minLength: 20, maxLength: 20 },
);

const usedBy = ({ uses }: Adder, index: number): readonly number[] =>
  Array.from({ length: index }, (_, at) => at).filter((at) => (uses & (1 << at)) !== 0);

const sum = (input: JsonMap): number => Object.values(input).reduce<number>((total, part) => total + Number(part), 0);

function textOf(nodes: readonly Adder[], maxParallel: number): string {
  const bound = nodes.map((node, index) => ({
    ...{ id: `n${index}`, type: 'add' },
    input: {
      own: node.own,
      ...Object.fromEntries(usedBy(node, index).map((at) => [`n${at}`, `{{n${at}.sum}}`])),
    },
  }));
  const edges = nodes.flatMap((node, index) => usedBy(node, index).map((at) => ({ from: `n${at}`, to: `n${index}` })));
  return JSON.stringify({ flow: { name: 'sums', policy: { maxParallel } }, nodes: bound, edges });
}

/** Evaluates the flow with what people gave its nodes. */
function expected(
  nodes: readonly Adder[],
  given: ReadonlyMap<string, JsonValue>,
  edited: ReadonlyMap<string, JsonMap>,
) {
  const outputs = new Map<string, JsonValue>();
  nodes.forEach((node, index) => {
    const id = `n${index}`;
    const resolved = {
      own: node.own,
      ...Object.fromEntries(usedBy(node, index).map((at) => [at, sumOf(outputs, at)])),
    };
    outputs.set(id, given.get(id) ?? { sum: sum(edited.get(id) ?? resolved) });
  });
  return outputs;
}

const sumOf = (outputs: ReadonlyMap<string, JsonValue>, at: number): number =>
  (outputs.get(`n${at}`) as { readonly sum: number }).sum;

class RandomRun {
  readonly #folder = mkdtempSync(join(tmpdir(), 'millrace-random-breakpoints-'));
  /** IDs of the nodes that have run. */
  readonly ran: string[] = [];
  readonly given = new Map<string, JsonValue>();
  readonly edited = new Map<string, JsonMap>();
  #world: TestExecutor | undefined;
  #count = 0;

  async open(): Promise<TestExecutor> {
    await this.#world?.close();
    const add = testNode('add', async ({ nodeId, input }) => {
      this.ran.push(nodeId);
      return { sum: sum(input) };
    });
    this.#world = await createTestExecutor({
      registry: createNodeRegistry([...builtinNodes, add]),
      idPrefix: `p${this.#count++}`,
      openStore: (context) => openRunStore({ file: join(this.#folder, 'runs.db'), ...context }),
    });
    return this.#world;
  }

  async close(): Promise<void> {
    await this.#world?.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Changes an output. It is refused if the node has not completed, or others have used its output. */
  async change(world: TestExecutor, runId: RunId, nodeId: string, output: JsonValue): Promise<void> {
    try {
      await world.executor.changeOutput({ runId, nodeId, output });
      this.given.set(nodeId, output);
    } catch (error) {
      if (!EngineError.is(error) || error.code !== 'run.invalid-state') throw error;
    }
  }

  /** @returns the request that a stop makes about the held node */
  answer({ action, value }: Stop, held: string | undefined) {
    if (held === undefined || action === 'continue' || action === 'step') return { action };
    if (action === 'skip') {
      this.given.set(held, { sum: value });
      return { action, nodeId: held, output: { sum: value } };
    }
    this.edited.set(held, { own: value });
    return { action, nodeId: held, input: { own: value } };
  }
}

test('13.5 the outputs are those of a plain evaluation with what people gave, and no node runs twice', async () => {
  const seen = { stops: 0, given: 0, edited: 0, changed: 0 };
  await fc.assert(
    fc.asyncProperty(flows, stops, async ({ nodes, maxParallel }, decisions) => {
      const run = new RandomRun();
      try {
        let world = await run.open();
        const breakpoints = nodes.flatMap(({ hasBreakpoint }, index) => (hasBreakpoint ? [{ node: `n${index}` }] : []));
        const path = 'a.flow.yaml';
        const request = { path, text: textOf(nodes, maxParallel), inputs: {}, breakpoints: { [path]: breakpoints } };
        const { runId, ended } = await world.executor.startRun(request);
        let { status } = await ended;
        const stateNow = () => foldRun(emptyRunState, world.store.readEvents(runId, -1, 10_000));
        for (const stop of decisions) {
          if (status !== 'suspended') break;
          seen.stops += 1;
          if (stop.isLeft) world = await run.open();
          const { pause } = stateNow();
          const before = run.given.size;
          if (stop.changed !== null)
            await run.change(world, runId, `n${stop.changed % nodes.length}`, { sum: stop.value + 1 });
          seen.changed += run.given.size - before;
          const answer = run.answer(stop, pause?.nextNode);
          ({ status } = await (await world.executor.resumeRun({ runId, ...answer })).ended);
        }
        if (status === 'suspended') return;
        seen.given += run.given.size;
        seen.edited += run.edited.size;
        expect(status).toBe('completed');
        const outputs = new Map([...stateNow().nodes].map(([id, { output }]) => [id, output]));
        expect(Object.fromEntries(outputs)).toEqual(Object.fromEntries(expected(nodes, run.given, run.edited)));
        expect(new Set(run.ran).size).toBe(run.ran.length);
      } finally {
        await run.close();
      }
    }),
    { numRuns: testRounds(25), endOnFailure: true, ...(testRounds(1) === 1 ? { seed: 39 } : {}) },
  );
  // The cases must reach what they are about.
  expect(Math.min(...Object.values(seen))).toBeGreaterThan(0);
}, 120_000);
