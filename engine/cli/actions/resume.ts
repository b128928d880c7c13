/**
 * What `resume` does.
 */
import type { Engine } from '../../index.ts';
import type { RunId } from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, resolveWorkspace } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { followRun } from '../follow-run.ts';
import { createReporter } from '../progress/run-reporter.ts';
import { runMeantBy } from '../run-reference.ts';
import { startAskingForSecrets } from './ask-for-secrets.ts';
import { storedEvents, withEngine } from './with-engine.ts';

/** Flags of `resume`; at most one of `approve` and `reject`. */
export interface ResumeOptions extends GlobalOptions {
  readonly approve?: true;
  readonly reject?: true;
  readonly comment?: string;
  readonly node?: string;
}

type Answer = Pick<Parameters<Engine['resumeRun']>[0], 'decision' | 'comment' | 'nodeId'>;

/**
 * Goes on with an interrupted run, or answers a suspended one. Without an answer, a suspended run stays as it is.
 * @returns the exit code
 * @throws EngineError `cli.usage` | `run.not-found` | `run.invalid-state`
 */
export async function resume(context: CliContext, run: string, options: ResumeOptions): Promise<number> {
  const answer = answerOf(options);
  const workspace = resolveWorkspace(context, options);
  return await withEngine(context, { workspace, store: options.store, trust: options.trust }, async (engine) => {
    const { json } = options;
    const runId = runMeantBy(engine, run);
    const resumeRun = (): Promise<{ runId: RunId }> =>
      startAskingForSecrets(engine, () => engine.resumeRun({ runId, ...answer }));
    const isQuestion = answer.decision === undefined && engine.getRun(runId).status === 'suspended';
    if (!isQuestion) return await followRun(context, { engine, json }, resumeRun);
    await resumeRun();
    printRequests(context, { engine, runId, json });
    return exitCode.suspended;
  });
}

/** @throws EngineError `cli.usage` for words that belong to an answer, without one */
function answerOf({ approve, reject, comment, node }: ResumeOptions): Answer {
  const stray = node === undefined ? comment && '--comment' : '--node';
  if (approve === undefined && reject === undefined && stray !== undefined) {
    throw usageError(`${stray} goes with an answer: add --approve or --reject.`);
  }
  return {
    ...(approve === undefined ? {} : { decision: 'approve' }),
    ...(reject === undefined ? {} : { decision: 'reject' }),
    ...(comment === undefined ? {} : { comment }),
    ...(node === undefined ? {} : { nodeId: node }),
  };
}

/** Shows the stored event with which the run stopped. */
function printRequests(
  context: CliContext,
  { engine, runId, json }: { engine: Engine; runId: RunId; json: GlobalOptions['json'] },
): void {
  const events = [...storedEvents(engine, runId)];
  const at = events.findLastIndex(({ event }) => event.type === 'run:suspended');
  const reporter = createReporter(context, { json });
  reporter.recall(events.slice(0, at));
  reporter.take(events.slice(at, at + 1));
  reporter.close();
}
