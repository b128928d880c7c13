/**
 * Provides tests to host programs. Their code is loaded with the first request.
 */

import type { RunId } from '../base/ids.ts';
import { Listeners } from '../base/listeners.ts';
import type { Engine } from '../engine.ts';
import type { CaseReport } from '../language/cases/case-result.ts';
import type { Bench } from './bench.ts';
import type { EvaluationEngine } from './evaluation-engine.ts';
import type { EvaluationWorld, TestedEngine } from './run-tests.ts';

type Reads = Pick<
  Engine,
  | 'close'
  | 'compareRuns'
  | 'getRun'
  | 'readCalledDefinition'
  | 'readDefinition'
  | 'readDefinitionSchemas'
  | 'readEvents'
  | 'readHead'
  | 'readStoredDefinition'
  | 'readValue'
  | 'readValues'
>;

/** Adds tests to an engine. The runs of the latest tests can be read like those in the history. */
export function withEvaluation<Base extends TestedEngine & Reads>(
  engine: Base,
  others: Omit<EvaluationWorld, 'engine'>,
): Base & EvaluationEngine {
  const listeners = new Listeners<[CaseReport]>();
  const world: EvaluationWorld = { ...others, engine };
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
    async runTests(request = {}, signal) {
      const { runTests } = await import('./run-tests.ts');
      return await runTests(request, world, { report, keep, signal });
    },
    watchTests: (listener) => listeners.add(listener),
    estimateRecording: async (request) => (await import('./estimate-recording.ts')).estimateRecording(request, world),
    proposeTest: async (runId) => (await import('./save-test.ts')).proposeTest(runId, world),
    saveTest: async (request) => (await import('./save-test.ts')).saveTest(request, world),
    async editTest({ text, changes }) {
      return (await import('../language/cases/edit-cases.ts')).editCases(text, changes);
    },
  };
  return Object.assign(
    engine,
    readingBoth(engine, () => latest),
    evaluation,
  );
}

/** Returns readers that look for runs in the history first, and then among those of the latest tests. */
function readingBoth(engine: Reads, latest: () => Bench | undefined): Reads {
  const { close, compareRuns, getRun, readCalledDefinition, readDefinition, readDefinitionSchemas } = engine;
  const { readEvents, readHead, readStoredDefinition, readValue, readValues } = engine;
  const either = async <T>(own: () => Promise<T>, tested: (other: Engine) => Promise<T>): Promise<T> => {
    const other = latest()?.engine;
    if (other === undefined) return await own();
    return await own().catch((error: unknown) =>
      tested(other).catch(() => {
        throw error;
      }),
    );
  };
  const ofTest = async (runId: RunId): Promise<Engine | undefined> => {
    const other = latest()?.engine;
    const isTested =
      other !== undefined &&
      (await other.getRun(runId).then(
        () => true,
        () => false,
      ));
    return isTested ? other : undefined;
  };
  return {
    compareRuns: (request) =>
      either(
        () => compareRuns(request),
        (other) => other.compareRuns(request),
      ),
    getRun: (runId) =>
      either(
        () => getRun(runId),
        (other) => other.getRun(runId),
      ),
    readHead: (runId) =>
      either(
        () => readHead(runId),
        (other) => other.readHead(runId),
      ),
    readDefinition: (runId) =>
      either(
        () => readDefinition(runId),
        (other) => other.readDefinition(runId),
      ),
    readCalledDefinition: (root, called) =>
      either(
        () => readCalledDefinition(root, called),
        (other) => other.readCalledDefinition(root, called),
      ),
    readDefinitionSchemas: (runId) =>
      either(
        () => readDefinitionSchemas(runId),
        (other) => other.readDefinitionSchemas(runId),
      ),
    readStoredDefinition: (hash) =>
      either(
        () => readStoredDefinition(hash),
        (other) => other.readStoredDefinition(hash),
      ),
    readValue: (hash) =>
      either(
        () => readValue(hash),
        (other) => other.readValue(hash),
      ),
    async readEvents(runId, afterSeq, limit) {
      const other = latest() === undefined ? undefined : await ofTest(runId);
      return await (other === undefined
        ? readEvents(runId, afterSeq, limit)
        : other.readEvents(runId, afterSeq, limit));
    },
    async readValues(hashes) {
      const own = await readValues(hashes);
      const missing = hashes.filter((hash) => !own.has(hash));
      const other = latest()?.engine;
      return missing.length === 0 || other === undefined
        ? own
        : new Map([...own, ...(await other.readValues(missing))]);
    },
    async close() {
      await latest()?.close();
      await close();
    },
  };
}
