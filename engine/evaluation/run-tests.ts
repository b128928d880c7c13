/**
 * Runs test files one after another.
 */
import { readFile } from 'node:fs/promises';
import { EngineError } from '../base/engine-error.ts';
import type { Engine } from '../engine.ts';
import type { CaseId, CaseReport, CaseResult, CaseSummary, ListedCaseFile } from '../language/cases/case-result.ts';
import { resolveInWorkspace } from '../world/files/workspace-path.ts';
import { type Bench, type OpenTested, openBench } from './bench.ts';
import type { ProposedText, RunTests, TestedText } from './evaluation-engine.ts';
import { findCaseFiles, listed, type ReadyCase, type ReadyFile, readCaseFile, recordingOf } from './list-cases.ts';
import { runCase } from './run-case.ts';
import { updateFile } from './update-file.ts';

/** What the runner needs of the engine that runs the tests. */
export interface TestedEngine
  extends Pick<
    Engine,
    | 'estimate'
    | 'findRun'
    | 'listProducts'
    | 'listRuns'
    | 'listWritten'
    | 'readDefinition'
    | 'readEvents'
    | 'readFlow'
    | 'readHead'
    | 'readStoredDefinition'
    | 'readValue'
    | 'workspace'
  > {}

export interface EvaluationWorld {
  readonly engine: TestedEngine;
  readonly open: OpenTested;
  /** Returns all values that must never be written. */
  readonly secrets: () => Promise<readonly string[]>;
  readonly now: () => number;
}

interface Reporting {
  readonly report: (report: CaseReport) => void;
  /** Takes over the engine with the runs, for readers. */
  readonly keep: (bench: Bench) => Promise<void>;
  readonly signal: AbortSignal | undefined;
}

/**
 * Returns a reader of current texts: unsaved ones, otherwise those of files. It throws EngineError `files.outside` for a
 * link that leads out of the workspace.
 */
export function currentTexts(
  workspace: string,
  texts: Readonly<Record<string, string>> = {},
): (path: string) => Promise<string | undefined> {
  return async (path) => {
    if (path.startsWith('../') || path.startsWith('/')) return undefined;
    if (Object.hasOwn(texts, path)) return texts[path];
    const { real } = await resolveInWorkspace(workspace, path);
    return await readFile(real, 'utf8').catch(() => undefined);
  };
}

/** Reads the test files of a request. @throws EngineError `test.not-found` */
export async function readCaseFiles(request: RunTests, { engine }: EvaluationWorld): Promise<readonly ReadyFile[]> {
  const read = currentTexts(engine.workspace, request.texts);
  const wanted = request.files ?? (request.cases && [...new Set(request.cases.map(({ file }) => file))]);
  const files: ReadyFile[] = [];
  for (const path of wanted ?? (await findCaseFiles(engine.workspace)))
    files.push(await readCaseFile(path, { engine, read }));
  return files.map((file) => ({ ...file, cases: file.cases.filter((one) => isWanted(one, request)) }));
}

function isWanted({ file, entry, row, name }: ReadyCase, { cases }: RunTests): boolean {
  if (cases === undefined) return true;
  return cases.some((one) => {
    if (one.file !== file) return false;
    return row === undefined ? one.name === name : one.entry === entry && (one.row === undefined || one.row === row);
  });
}

/** Runs the tests. @throws EngineError as `EvaluationEngine.runTests` */
export async function runTests(
  request: RunTests,
  world: EvaluationWorld,
  { report, keep, signal }: Reporting,
): Promise<CaseSummary> {
  const { engine, now } = world;
  const startedAt = now();
  const record = request.record ?? 'none';
  const files = await readCaseFiles(request, world);
  if (record !== 'none') await refuseUnseen(engine, request);
  report({ type: 'start', files: files.map(listed) });
  const { open, secrets } = world;
  const bench = await openBench({ source: engine, open, secrets, now, record, request });
  const all: CaseResult[] = [];
  const updated = { values: 0, cases: 0 };
  try {
    for (const file of files) {
      const results = await runFile(file, { ...request, record }, { bench, world, signal, report });
      all.push(...results);
      if (request.isUpdate !== true) continue;
      const { values, cases } = await updateFile(file, results, engine.workspace);
      updated.values += values;
      updated.cases += cases;
    }
    if (record === 'all') await bench.player.removeUnused(await finishedRecordings(all, request, world));
  } finally {
    await keep(bench);
  }
  const passed = all.filter(({ isOk }) => isOk).length;
  const { spentUsd } = bench.meter;
  const ended = {
    passed,
    failed: all.length - passed + files.filter(({ problems }) => problems.length > 0).length,
    recorded: all.reduce((sum, { use }) => sum + use.recorded, 0),
    durationMs: now() - startedAt,
    ...(spentUsd > 0 ? { costUsd: spentUsd } : {}),
    ...(request.isUpdate === true ? { updated } : {}),
  };
  report({ type: 'end', summary: ended });
  return ended;
}

function keyOf({ file, entry, row }: CaseId): string {
  return JSON.stringify([file, entry, row ?? null]);
}

/**
 * Returns the paths of recordings for which all cases have passed. Calls that these cases did not make are not needed
 * anymore.
 */
async function finishedRecordings(
  results: readonly CaseResult[],
  { texts = {} }: RunTests,
  world: EvaluationWorld,
): Promise<readonly string[]> {
  const passed = new Set(results.filter(({ isOk }) => isOk).map(keyOf));
  const finished = new Map<string, boolean>();
  for (const { doc, cases } of await readCaseFiles({ texts }, world)) {
    for (const one of doc === null ? [] : cases) {
      const path = 'problem' in one.doc ? undefined : recordingOf(one.file, one.doc.cassette ?? doc?.cassette);
      if (path !== undefined) finished.set(path, finished.get(path) !== false && passed.has(keyOf(one)));
    }
  }
  return [...finished].flatMap(([path, isFinished]) => (isFinished ? [path] : []));
}

interface FileRun extends Pick<Reporting, 'report' | 'signal'> {
  readonly bench: Bench;
  readonly world: EvaluationWorld;
}

async function runFile(
  { doc, target, cases }: ReadyFile,
  request: RunTests,
  { bench, world, signal, report }: FileRun,
): Promise<readonly CaseResult[]> {
  if (doc === null || target === undefined) return [];
  const read = currentTexts(world.engine.workspace, request.texts);
  bench.meter.limit(doc.budget);
  const results: CaseResult[] = [];
  for (const ready of cases) {
    signal?.throwIfAborted();
    const result = await runCase(ready, {
      bench,
      file: doc,
      target,
      read,
      model: request.model,
      versions: world.engine,
      now: world.now,
      signal,
    });
    results.push(result);
    report({ type: 'case', result });
  }
  return results;
}

/** Calls may be made only with texts that a person has seen, because they decide what may be sent where. */
async function refuseUnseen(engine: TestedEngine, { isProposal }: RunTests): Promise<void> {
  if (isProposal === true)
    throw new EngineError({
      code: 'test.unseen',
      message: 'Calls of a proposal are not made. Accept the proposal first, then record.',
    });
  const [first, ...others] = (await engine.listWritten()).map(({ path }) => path);
  if (first === undefined) return;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  throw new EngineError({
    code: 'files.unseen',
    message: `A run has written ${first}${more}, and no one has reviewed the changes yet. Review them first (millrace review), then record.`,
  });
}

/** Runs the tests of a flow with a text that no person has accepted. @throws EngineError as `EvaluationEngine.testProposal` */
export async function testProposal(
  { path, texts }: ProposedText,
  world: EvaluationWorld,
  signal?: AbortSignal,
): Promise<TestedText> {
  const all = (await readCaseFiles({ texts }, world)).map(listed);
  const files = all.filter((file) => isTestOf(file, path));
  if (files.every(({ cases }) => cases.length === 0)) return { files, results: [] };
  const results: CaseResult[] = [];
  await runTests({ files: files.map((file) => file.path), texts, isProposal: true }, world, {
    signal,
    keep: (bench) => bench.close(),
    report(report) {
      if (report.type === 'case') results.push(report.result);
    },
  });
  return { files, results };
}

/** A file that is not valid may have no target. Its name then says what it tests. */
function isTestOf({ path, target }: ListedCaseFile, flow: string): boolean {
  if (target !== '') return target === flow;
  return path.replace(/\.test\.ya?ml$/, '') === flow.replace(/(?:\.flow)?\.(?:ya?ml|json)$/, '');
}
