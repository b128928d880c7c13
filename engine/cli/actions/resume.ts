/**
 * What `resume` does.
 */
import { text } from 'node:stream/consumers';

import type { ReadsLater, RunActions, RunReads } from '../../index.ts';
import { isJsonMap, type JsonMap, type RunId, type RunStatus } from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode, exitCodeOfRun, usageError } from '../exit-code.ts';
import { followRun } from '../follow-run.ts';
import { createReporter } from '../progress/run-reporter.ts';
import { runMeantBy } from '../run-reference.ts';
import { startAskingForSecrets } from './ask-for-secrets.ts';
import { jsonOf, readJsonFile } from './run-options.ts';
import { allStoredEvents, withEngine } from './with-engine.ts';

/** Flags of `resume`; at most one of `approve` and `reject`. */
export interface ResumeOptions extends GlobalOptions {
  readonly approve?: true;
  readonly reject?: true;
  readonly comment?: string;
  readonly node?: string;
  readonly key?: string;
  /** A file with the answer, or `-`. */
  readonly answer?: string;
  readonly by?: string;
}

type Answer = Omit<Parameters<RunActions['resumeRun']>[0], 'runId'>;

/**
 * Goes on with an interrupted run, or answers a suspended one. Without an answer, a suspended run stays as it is.
 * @returns the exit code
 * @throws EngineError `cli.usage` | `run.not-found` | `run.invalid-state`
 */
export async function resume(context: CliContext, run: string, options: ResumeOptions): Promise<number> {
  const answer = await answerOf(context, options);
  const workspace = resolveWorkspace(context, options);
  return await withEngine(context, { workspace, store: options.store, trust: options.trust }, async (engine) => {
    const { json } = options;
    const runId = await runMeantBy(engine, run);
    const resumeRun = (): Promise<{ runId: RunId }> =>
      startAskingForSecrets(engine, () => engine.resumeRun({ runId, ...answer }));
    const isAnswer = answer.decision !== undefined || answer.payload !== undefined;
    const isQuestion = !isAnswer && engine.getRun(runId).status === 'suspended';
    const answered = isAnswer ? (status: RunStatus) => tellElsewhere(context, status) : undefined;
    if (!isQuestion) return await followRun(context, { engine, json }, resumeRun, answered);
    await resumeRun();
    await printRequests(context, { reads: engine, runId, json });
    return exitCode.suspended;
  });
}

/** The answer counts, and another program goes on with the run. Returns the exit code. */
function tellElsewhere({ terminal }: CliContext, status: RunStatus): number {
  const goesOn = status === 'queued' || status === 'running';
  const state = goesOn ? 'which goes on' : `which is ${status} now`;
  terminal.err(`The answer is taken. Another program has the run, ${state}.`);
  return goesOn ? exitCode.ok : exitCodeOfRun(status);
}

/** @throws EngineError `cli.usage` for words that belong to an answer, without one; `files.*` */
async function answerOf(context: CliContext, options: ResumeOptions): Promise<Answer> {
  const { approve, reject, comment, node, key, answer: file, by } = options;
  const isAnswer = approve === true || reject === true || file !== undefined;
  const stray = Object.entries({ '--node': node, '--key': key, '--comment': comment, '--by': by }).find(
    ([, value]) => value !== undefined,
  );
  if (!isAnswer && stray !== undefined) {
    throw usageError(`${stray[0]} goes with an answer: add --approve, --reject or --answer.`);
  }
  if (!isAnswer) return {};
  return {
    ...(approve === undefined ? {} : { decision: 'approve' }),
    ...(reject === undefined ? {} : { decision: 'reject' }),
    ...(file === undefined ? {} : { payload: await payloadIn(context, file) }),
    ...(comment === undefined ? {} : { comment }),
    ...(node === undefined ? {} : { nodeId: node }),
    ...(key === undefined ? {} : { key }),
    ...(by === undefined ? {} : { by }),
  };
}

/** @throws EngineError `cli.usage` */
async function payloadIn({ folder }: CliContext, shown: string): Promise<JsonMap> {
  const value =
    shown === '-'
      ? jsonOf(await text(process.stdin), { flag: '--answer', shown: 'on stdin' })
      : readJsonFile('--answer', shown, folder);
  if (isJsonMap(value)) return value;
  throw usageError('--answer does not hold a JSON object: { "approved": true } or { "values": { … } }.');
}

/** Shows the stored event with which the run stopped. */
async function printRequests(
  context: CliContext,
  { reads, runId, json }: { reads: ReadsLater<RunReads>; runId: RunId; json: GlobalOptions['json'] },
): Promise<void> {
  const events = await allStoredEvents(reads, runId);
  const at = events.findLastIndex(({ event }) => event.type === 'run:suspended');
  const reporter = createReporter(context, { json });
  reporter.recall(events.slice(0, at));
  reporter.take(events.slice(at, at + 1));
  reporter.close();
}
