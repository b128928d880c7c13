/**
 * Implements `cancel` and `pause`.
 */
import type { RunActions, RunReads } from '../../index.ts';
import { EngineError, type RunId, type RunStatus, type RunSummary } from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, isShared, resolveWorkspace, type SharedOptions } from '../cli-context.ts';
import { exitCode } from '../exit-code.ts';
import { pauseCommands } from '../progress/waiting-lines.ts';
import { resolveRunReference } from '../run-reference.ts';
import { withEngine } from './with-engine.ts';

/** What canceling needs of an engine. */
interface CancelingEngine extends Pick<RunReads, 'getRun' | 'findRun' | 'listRuns'>, Pick<RunActions, 'cancelRun'> {
  readonly notices: readonly { readonly message: string }[];
}

/** A run as the command names it. */
interface RunInWords {
  readonly run: string;
  readonly json: GlobalOptions['json'];
}

const lookMs = 100;
/** Waiting time after which the command reports what it waits for. */
const patienceMs = 5_000;

/**
 * Cancels a run, whichever program executes it, and waits until it has ended. A run that is already canceled is left as
 * it is.
 * @returns the exit code
 * @throws EngineError `run.not-found`; `run.invalid-state` if the run ended in another way, or could not be ended
 */
export async function cancel(
  context: CliContext,
  run: string,
  options: GlobalOptions & SharedOptions,
): Promise<number> {
  if (isShared(options)) {
    const { withShared } = await import('./with-shared.ts');
    return await withShared(context, options, async ({ reads, runs }) => {
      // An error is reported on stderr, and the request is repeated until it is stored.
      const engine = { ...reads, cancelRun: runs.cancelRun.bind(runs), notices: [] };
      return await cancelIn(context, engine, { run, json: options.json });
    });
  }
  const workspace = resolveWorkspace(context, options);
  return await withEngine(context, { workspace, store: options.store, trust: options.trust }, (engine) =>
    cancelIn(context, engine, { run, json: options.json }),
  );
}

async function cancelIn(context: CliContext, engine: CancelingEngine, { run, json }: RunInWords): Promise<number> {
  const { terminal } = context;
  const former = await engine.getRun(await resolveRunReference(engine, run));
  const { number } = former;
  refuseEnded(former, 'had already ended');
  const end = former.status === 'cancelled' ? former : await endOf(context, engine, former.runId);
  refuseEnded(end, 'ended before it could be canceled');
  if (json === true) terminal.json(`${JSON.stringify(end)}\n`);
  else
    terminal.err(former.status === 'cancelled' ? `Run #${number} was already canceled.` : `Canceled run #${number}.`);
  return exitCode.ok;
}

/** Cancels a run and returns it when it has ended. */
async function endOf(context: CliContext, engine: CancelingEngine, runId: RunId): Promise<RunSummary> {
  const noticesBefore = engine.notices.length;
  engine.cancelRun(runId);
  const isOver = (run: RunSummary): boolean => {
    const [refusal] = engine.notices.slice(noticesBefore);
    if (refusal !== undefined && !hasEnded(run.status) && run.status !== 'running')
      throw notCanceled(run, refusal.message);
    return hasEnded(run.status);
  };
  return await whenRun(context, engine, { runId, isOver, awaited: 'the program that executes' });
}

interface RunWait {
  readonly runId: RunId;
  readonly isOver: (run: RunSummary) => boolean;
  /** What is awaited, up to the name of the run: `the program that executes`. */
  readonly awaited: string;
}

async function whenRun(
  { terminal, clock }: CliContext,
  engine: Pick<RunReads, 'getRun'>,
  { runId, isOver, awaited }: RunWait,
): Promise<RunSummary> {
  const reportAt = clock.now() + patienceMs;
  let hasReported = false;
  for (;;) {
    const run = await engine.getRun(runId);
    if (isOver(run)) return run;
    if (!hasReported && clock.now() > reportAt) {
      hasReported = true;
      terminal.err(`Waiting for ${awaited} run #${run.number}. Press Ctrl-C to stop waiting; the request stays.`);
    }
    await new Promise<void>((resolve) => clock.setTimer(resolve, lookMs));
  }
}

/**
 * Pauses a run, whichever program executes it, and waits until what runs has finished.
 * @returns the exit code
 * @throws EngineError `run.not-found`; `run.invalid-state` if the run was not active, or ended before it was paused
 */
export async function pause(context: CliContext, run: string, options: GlobalOptions & SharedOptions): Promise<number> {
  const { json } = options;
  if (isShared(options)) {
    const [{ withShared }, { pauseSharedRun }] = await Promise.all([
      import('./with-shared.ts'),
      import('../../host/reads/shared-answers.ts'),
    ]);
    return await withShared(context, options, ({ reads, history }) =>
      pauseIn(context, { ...reads, pauseRun: (runId) => pauseSharedRun(history, runId) }, { run, json }),
    );
  }
  const workspace = resolveWorkspace(context, options);
  return await withEngine(context, { workspace, store: options.store, trust: options.trust }, (engine) =>
    pauseIn(context, engine, { run, json }),
  );
}

async function pauseIn(
  context: CliContext,
  engine: Pick<RunReads, 'getRun' | 'findRun' | 'listRuns'> & Pick<RunActions, 'pauseRun'>,
  { run, json }: RunInWords,
): Promise<number> {
  const { terminal } = context;
  const former = await engine.getRun(await resolveRunReference(engine, run));
  const { runId, number } = former;
  if (former.waitStatus !== 'PAUSED') await engine.pauseRun(runId);
  const isOver = ({ status }: RunSummary): boolean => status !== 'queued' && status !== 'running';
  const end = await whenRun(context, engine, { runId, isOver, awaited: 'the running nodes of' });
  refuseEnded(end, 'ended before it was paused', []);
  if (json === true) terminal.json(`${JSON.stringify(end)}\n`);
  else if (end.waitStatus === 'PAUSED') terminal.err(pausedText(number, runId));
  else terminal.err(`Run #${number} is ${end.status}. It starts nothing until you continue it.`);
  return exitCode.ok;
}

function pausedText(number: number, runId: RunId): string {
  return [`Run #${number} is paused.`, ...pauseCommands(runId)].join('\n');
}

function hasEnded(status: RunStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'skipped' || status === 'cancelled';
}

/** @throws EngineError `run.invalid-state` if the run has ended in another way than the allowed ones */
function refuseEnded(
  { number, status }: RunSummary,
  what: string,
  allowed: readonly RunStatus[] = ['cancelled'],
): void {
  if (!hasEnded(status) || allowed.includes(status)) return;
  throw new EngineError({ code: 'run.invalid-state', message: `Run #${number} ${what} (${status}).` });
}

function notCanceled({ number, status }: RunSummary, reason: string): EngineError {
  return new EngineError({
    code: 'run.invalid-state',
    message: `Run #${number} could not be canceled and is still ${status}. ${reason}`,
  });
}
