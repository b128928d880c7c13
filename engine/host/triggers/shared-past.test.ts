/** Tests that several services, and services that are killed, turn each change and each end into exactly one firing. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { EngineError } from '../../base/engine-error.ts';
import { asRunId } from '../../base/ids.ts';
import { openRunStore } from '../../history/store/sqlite-run-store.ts';
import type { FileChangeKind, TriggerDoc } from '../../language/triggers/trigger-doc.ts';
import { createManualClock, type ManualClock } from '../../testing/manual-clock.ts';
import { envelope, newRun, runCompleted, runStart } from '../../testing/run-samples.ts';
import { testRounds } from '../../testing/test-rounds.ts';
import { entry, TriggerLife } from './test-trigger-life.ts';
import type { TriggerEntry } from './trigger-list.ts';

const minuteMs = 60_000;

let folder: string;
let clock: ManualClock;
let lives: TriggerLife[];
beforeEach(begin);
afterEach(end);

function begin(): void {
  folder = mkdtempSync(join(tmpdir(), 'millrace-shared-'));
  mkdirSync(join(folder, 'inbox'));
  // Later than the times that the system gives to new files.
  clock = createManualClock(Date.now() + 600 * minuteMs);
  lives = [];
}

async function end(): Promise<void> {
  for (const life of lives) await life.end();
  rmSync(folder, { recursive: true, force: true });
}

async function live(entries: readonly TriggerEntry[], refusal?: EngineError): Promise<TriggerLife> {
  const life = Object.assign(new TriggerLife({ folder, clock }), { runMs: 1, refusal });
  lives.push(life);
  return await life.begin(entries);
}

/** A change of a file, and what the services do afterwards. */
interface Step {
  readonly file: number;
  readonly isDeleted: boolean;
  /** Which services look, and whether they are awaited: otherwise they look while the next change happens. */
  readonly looks: readonly boolean[];
  readonly isAwaited: boolean;
  readonly killed: 'before look' | 'after look' | undefined;
  /** Milliseconds by which the clock is set. */
  readonly shift: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  file: fc.nat(5),
  isDeleted: fc.boolean(),
  looks: fc.tuple(fc.boolean(), fc.boolean()),
  isAwaited: fc.boolean(),
  killed: fc.option(fc.constantFrom('before look' as const, 'after look' as const), { nil: undefined, freq: 6 }),
  shift: fc.constantFrom(0, 0, 0, 0, 5 * minuteMs, -5 * minuteMs),
});

/** A folder in which files change, with two services. They only record firings, and start no runs. */
class SharedFolder {
  readonly #entries: readonly TriggerEntry[];
  readonly #refusal = new EngineError({ code: 'flow.invalid', message: 'It starts no run.' });
  readonly #sizes = new Map<string, number>();
  readonly expected: string[] = [];
  services: TriggerLife[] = [];

  constructor(isBatch: boolean) {
    const on = ['created', 'changed', 'deleted'] as const;
    this.#entries = [entry('t', { files: { glob: 'inbox/*', on, debounce: '2s', batch: isBatch } })];
  }

  async begin(): Promise<void> {
    this.services = [await this.#live(), await this.#live()];
  }

  /** Changes files, each at most once. All of them are then at rest, and reported. */
  async change(steps: readonly Step[]): Promise<void> {
    const changed = new Set<number>();
    for (const one of steps) {
      clock.put(one.shift);
      if (!changed.has(one.file)) this.#changeFile(one);
      changed.add(one.file);
      await this.#look(one);
    }
    await clock.advance(3_000);
    for (const one of steps) await this.#look(one);
    await this.#look({ looks: [true, true], isAwaited: true, killed: undefined });
  }

  async #look({ looks, isAwaited, killed }: Pick<Step, 'looks' | 'isAwaited' | 'killed'>): Promise<void> {
    const [first] = this.services;
    if (first !== undefined) first.killAt = (name) => name === killed;
    this.services.forEach(({ changeFiles }, index) => {
      if (looks[index] === true) changeFiles();
    });
    if (isAwaited) for (const { service } of this.services) await service?.settled();
    for (const [index, { isDead }] of this.services.entries()) if (isDead) this.services[index] = await this.#live();
  }

  #live(): Promise<TriggerLife> {
    return live(this.#entries, this.#refusal);
  }

  #changeFile({ file, isDeleted }: Step): void {
    const path = `inbox/${file}`;
    const size = this.#sizes.get(path);
    const kind: FileChangeKind = size === undefined ? 'created' : isDeleted ? 'deleted' : 'changed';
    this.expected.push(`${path} ${kind}`);
    if (kind === 'deleted') {
      this.#sizes.delete(path);
      rmSync(join(folder, path));
      return;
    }
    this.#sizes.set(path, (size ?? 0) + 1);
    writeFileSync(join(folder, path), 'x'.repeat((size ?? 0) + 1));
    utimesSync(join(folder, path), clock.now() / 1_000, clock.now() / 1_000);
  }
}

interface FilesEvent {
  readonly path?: string;
  readonly change?: string;
  readonly files?: readonly Pick<FilesEvent, 'path' | 'change'>[];
}

function reportedChanges(life: TriggerLife): readonly string[] {
  const events = life.store.firings.list({ limit: 10_000 }).map(({ event }) => event as FilesEvent);
  const changes = events.flatMap(({ files, ...one }) => files ?? [one]);
  return changes.map(({ path, change }) => `${path} ${change}`).sort();
}

test.each([false, true])('13.8: two services report each changed file once (batch: %s)', async (isBatch) => {
  const rounds = fc.array(fc.array(step, { minLength: 1, maxLength: 5 }), { minLength: 2, maxLength: 6 });
  const property = fc.asyncProperty(rounds, async (steps) => {
    await end();
    begin();
    const shared = new SharedFolder(isBatch);
    await shared.begin();
    for (const round of steps) await shared.change(round);
    const [life] = shared.services;
    expect(life && reportedChanges(life)).toEqual(shared.expected.toSorted());
  });
  await fc.assert(property, { numRuns: testRounds(15) });
});

describe('ends of another flow', () => {
  const source = 'import.flow.yaml';

  function afterEntry(missed: TriggerDoc['missed']): TriggerEntry {
    return entry('next', { after: { flow: source }, limit: 1, ...(missed && { missed }) }, 'report.flow.yaml');
  }

  /** Another process runs the flow. The runs end in another order than they start. */
  async function runOften(count: number): Promise<void> {
    const store = await openRunStore({ file: join(folder, 'runs.db'), clock, owner: { host: 'h', pid: 1, start: '' } });
    const ids = Array.from({ length: count }, (_, index) => asRunId(`source-${clock.now()}-${index}`));
    for (const runId of ids) {
      store.createRun(newRun(runId, { sourcePath: source, queuedAt: clock.now() }));
      store.append(runId, [{ ...envelope(runId, runStart, 0), at: clock.now() }]);
    }
    for (const runId of ids.toReversed())
      store.append(runId, [{ ...envelope(runId, { ...runCompleted, output: { id: runId } }, 1), at: clock.now() }]);
    store.close();
  }

  async function afterDowntime(missed: TriggerDoc['missed']): Promise<ReadonlyMap<string, number>> {
    const first = await live([afterEntry(missed)]);
    await clock.advance(minuteMs);
    await first.service?.settled();
    first.kill();
    await runOften(1_300);
    await clock.advance(60 * minuteMs);
    const second = await live([afterEntry(missed)]);
    await clock.advance(minuteMs);
    await second.service?.settled();
    const firings = second.store.firings.list({ limit: 10_000 });
    expect(new Set(firings.map(({ event }) => JSON.stringify(event['outputs']))).size).toBe(1_300);
    const counts = new Map<string, number>();
    for (const { state } of firings) counts.set(state, (counts.get(state) ?? 0) + 1);
    return counts;
  }

  test.each<[TriggerDoc['missed'], Readonly<Record<string, number>>]>([
    [undefined, { started: 1, skipped: 1_299 }],
    ['once', { started: 1, missed: 1_299 }],
    ['skip', { missed: 1_300 }],
  ])('each of 1,300 while nothing ran follows the rule: %s', async (missed, expected) => {
    expect(Object.fromEntries(await afterDowntime(missed))).toEqual(expected);
  });

  test('one counts as missed only while nothing ran, also if the clock is set', async () => {
    const life = await live([afterEntry('skip')]);
    await clock.advance(minuteMs);
    for (const shift of [-30 * minuteMs, 0, 90 * minuteMs]) {
      clock.put(shift);
      await runOften(2);
      await clock.advance(2 * minuteMs);
      await life.service?.settled();
    }
    const firings = life.store.firings.list({ limit: 10 });
    expect(firings).toHaveLength(6);
    expect(firings.filter(({ state }) => state === 'missed')).toEqual([]);
  });
});
