/**
 * Provides tests to host programs. Their code is loaded with the first request.
 */
import type { Clock } from '../base/clock.ts';
import type { RunId } from '../base/ids.ts';
import { Listeners } from '../base/listeners.ts';
import type { Engine } from '../engine.ts';
import type { CaseWorld } from '../host/wiring/case-world.ts';
import type { CaseReport } from '../language/cases/case-result.ts';
import type { Bench, OpenTested } from './bench.ts';
import type { EvaluationEngine } from './evaluation-engine.ts';
import type { EvaluationWorld, TestedEngine } from './run-tests.ts';

/** Readers for which a run of the latest tests is as good as one in the history. */
const shared = [
  ...(['compareRuns', 'getRun', 'readCalledDefinition', 'readDefinition', 'readDefinitionSchemas'] as const),
  ...(['readHead', 'readStoredDefinition', 'readValue'] as const),
];

type ReadsOfBoth = Pick<Engine, (typeof shared)[number] | 'close' | 'readEvents' | 'readValues'>;

/** The options of an engine, with those that the runner of tests adds. */
export type TestedOptions<Options> = Options & { readonly caseWorld?: CaseWorld };

interface EvaluationParts<Options> {
  readonly clock: Clock;
  readonly options: TestedOptions<Options>;
  readonly open: (options: TestedOptions<Options>) => Promise<Engine>;
  /** Returns the keys in the model settings. */
  readonly modelKeys: () => readonly string[];
  /** Returns the secrets of the workspace. */
  readonly secrets: () => Promise<readonly string[]>;
}

/** Options that an engine of tests does not have: it shares nothing but the workspace. */
const withoutHistory = { cassette: undefined, sharedHistory: undefined, resumesAnswered: undefined };

/** Adds tests to an engine. The runs of the latest tests can be read like those in the history. */
export function withEvaluation<Base extends TestedEngine & ReadsOfBoth, Options>(
  engine: Base,
  { clock, options, open, modelKeys, secrets }: EvaluationParts<Options>,
): Base & EvaluationEngine {
  const openTested: OpenTested = (more) => open(definedParts({ ...options, ...withoutHistory, ...more }));
  const world: EvaluationWorld = {
    ...{ engine, open: openTested, now: () => clock.now() },
    secrets: async () => [...(await secrets()), ...modelKeys()],
  };
  const listeners = new Listeners<[CaseReport]>();
  const report = (one: CaseReport): void => listeners.tell(() => undefined, one);
  let latest: Bench | undefined;
  const keep = async (bench: Bench): Promise<void> => {
    const former = latest;
    latest = bench;
    await former?.close();
  };
  const evaluation: EvaluationEngine = {
    async listTests(request = {}) {
      const [{ readCaseFiles }, { listed }] = await Promise.all([import('./run-tests.ts'), import('./list-cases.ts')]);
      return (await readCaseFiles(request, world)).map(listed);
    },
    async runTests(request = {}, signal, also) {
      const { runTests } = await import('./run-tests.ts');
      const toAll = (one: CaseReport): void => {
        report(one);
        also?.(one);
      };
      return await runTests(request, world, { report: toAll, keep, signal });
    },
    testProposal: async (proposed, signal) => (await import('./run-tests.ts')).testProposal(proposed, world, signal),
    watchTests: (listener) => listeners.add(listener),
    estimateRecording: async (request) => (await import('./estimate-recording.ts')).estimateRecording(request, world),
    proposeTest: async (runId) => (await import('./save-test.ts')).proposeTest(runId, world),
    saveTest: async (request) => (await import('./save-test.ts')).saveTest(request, world),
    editTest: async ({ text, changes }) => (await import('../language/cases/edit-cases.ts')).editCases(text, changes),
  };
  return Object.assign(
    engine,
    readingBoth(engine, () => latest),
    evaluation,
  );
}

function definedParts<Options extends object>(options: Options): Options {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as Options;
}

/** Returns readers that look for runs in the history first, and then among those of the latest tests. */
function readingBoth(engine: ReadsOfBoth, latest: () => Bench | undefined): ReadsOfBoth {
  const { close, readEvents, readValues } = engine;
  const reader = (name: (typeof shared)[number]) => {
    // Each method keeps its own parameters and result.
    const own = engine[name] as (...given: unknown[]) => Promise<unknown>;
    return async (...given: unknown[]): Promise<unknown> => {
      const tested = latest()?.engine[name] as typeof own | undefined;
      if (tested === undefined) return await own(...given);
      return await own(...given).catch((error: unknown) =>
        tested(...given).catch(() => {
          throw error;
        }),
      );
    };
  };
  const both = Object.fromEntries(shared.map((name) => [name, reader(name)])) as unknown as Omit<ReadsOfBoth, 'close'>;
  return {
    ...both,
    async readEvents(runId, afterSeq, limit) {
      const tested = await testedWith(runId, latest()?.engine);
      return await (tested?.readEvents ?? readEvents)(runId, afterSeq, limit);
    },
    async readValues(hashes) {
      const own = await readValues(hashes);
      const missing = hashes.filter((hash) => !own.has(hash));
      const tested = missing.length === 0 ? undefined : await latest()?.engine.readValues(missing);
      return tested === undefined ? own : new Map([...own, ...tested]);
    },
    async close() {
      await latest()?.close();
      await close();
    },
  };
}

/** Returns the engine of the latest tests if it has the run. */
async function testedWith(runId: RunId, tested: Engine | undefined): Promise<Engine | undefined> {
  const hasRun = await tested?.getRun(runId).then(
    () => true,
    () => false,
  );
  return hasRun === true ? tested : undefined;
}
