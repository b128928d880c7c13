/**
 * Implements `resume`.
 */
import type { LeftProcessEngine, RunActions, RunHistoryReader, RunReads } from '../../index.ts';
import {
  budgetParts,
  type ConsentScope,
  EngineError,
  isJsonMap,
  type JsonMap,
  type RunId,
  type RunStatus,
  readWholeRun,
} from '../../isomorphic.ts';
import { type CliContext, type GlobalOptions, isShared, resolveWorkspace, type SharedOptions } from '../cli-context.ts';
import { exitCode, exitCodeOfRun, usageError } from '../exit-code.ts';
import { followRun } from '../follow-run.ts';
import { answerCommands, answerKindOf, oneLine } from '../progress/phrases.ts';
import { createReporter } from '../progress/run-reporter.ts';
import { resolveRunReference } from '../run-reference.ts';
import { allowAtTerminal } from './allow-at-terminal.ts';
import { startAsking } from './ask-before-start.ts';
import { askPerson } from './ask-person.ts';
import { jsonIn, outputsIn } from './run-options.ts';
import { withEngine } from './with-engine.ts';

/** Options of `resume`; at most one of `approve` and `reject`. */
export interface ResumeOptions extends GlobalOptions, SharedOptions {
  readonly approve?: true;
  readonly reject?: true;
  /** Grants the permissions that nodes wait for. */
  readonly allow?: true;
  /** How long the approval of a tool lasts. */
  readonly scope?: ConsentScope;
  /** Lets a paused run continue. */
  readonly continue?: true;
  /** Lets the next node of a paused run start. */
  readonly step?: true;
  /** A file with the output of a held node, or `-` for stdin. */
  readonly skip?: string;
  /** A file with the input of a held node, or `-` for stdin. */
  readonly edit?: string;
  /** Values of the form `usd=0.20`: higher limits of the run's budget. */
  readonly raise?: readonly string[];
  /** Values of the form `NODE=FILE`: another output of a completed node of a paused run. */
  readonly output: readonly string[];
  readonly comment?: string;
  readonly node?: string;
  readonly key?: string;
  /** A file with the answer, or `-` for stdin. */
  readonly answer?: string;
  readonly by?: string;
  /** Ends leftover processes without asking. */
  readonly yes?: true;
}

type ResumeArguments = Omit<Parameters<RunActions['resumeRun']>[0], 'runId'>;

/**
 * Continues an interrupted run, or answers a suspended one. A suspended run whose deadline has passed, or that another
 * process has answered, continues without a new answer. Otherwise, the run is unchanged and its requests are shown.
 * @returns the exit code
 * @throws EngineError `cli.usage` | `run.not-found` | `run.invalid-state` | `answer.invalid`
 */
export async function resume(context: CliContext, run: string, options: ResumeOptions): Promise<number> {
  if (isShared(options)) refuseLocalOptions(options);
  const [answer, changed] = [await answerOf(context, options), await changedOutputs(context, options)];
  if (isShared(options)) return await resumeShared(context, run, { options, answer });
  const workspace = resolveWorkspace(context, options);
  return await withEngine(context, { workspace, store: options.store, trust: options.trust }, async (engine) => {
    const { json } = options;
    const runId = await resolveRunReference(engine, run);
    await offerToEnd(context, { engine, runId, yes: options.yes });
    const isAnswer = options.allow === true || Object.keys(answer).length > 0;
    const resumed = async (): Promise<{ runId: RunId }> => {
      for (const change of changed) await engine.changeOutput({ runId, ...change });
      return await (options.allow === true
        ? allowAtTerminal(context, engine, { runId, node: options.node, isTrusted: options.trust === true })
        : startAsking(engine, () => engine.resumeRun({ runId, ...answer })));
    };
    const start = (): Promise<{ runId: RunId }> =>
      resumed().catch(async (error: unknown) => {
        throw await explained(error, engine, runId);
      });
    return await followRun(context, { engine, json }, start, async (status) => {
      if (status === 'suspended' && !isAnswer) await printRequests(context, { reads: engine, runId, json });
      else reportOtherOwner(context, status, isAnswer);
      return status === 'running' || status === 'queued' ? exitCode.ok : exitCodeOfRun(status);
    });
  });
}

/** Answers a run in a shared history, and follows it until it has ended or waits again. */
async function resumeShared(
  context: CliContext,
  run: string,
  { options, answer }: { readonly options: ResumeOptions; readonly answer: ResumeArguments },
): Promise<number> {
  const { json } = options;
  const [{ followedEngine, withShared }, { answerSharedRun }] = await Promise.all([
    import('./with-shared.ts'),
    import('../../host/reads/shared-answers.ts'),
  ]);
  return await withShared(context, options, async (shared) => {
    const { history, reads, runs } = shared;
    const runId = await resolveRunReference(reads, run);
    const { status } = await reads.getRun(runId);
    if (Object.keys(answer).length === 0) {
      if (status === 'suspended') await printRequests(context, { reads, runId, json });
      else reportOtherOwner(context, status, false);
      return exitCodeOfRun(status);
    }
    await runs.follow(runId);
    return await followRun(context, { engine: followedEngine(shared), json }, async () => {
      // The policies of the worker apply, not those of this machine.
      await answerSharedRun(history, { runId, ...answer }, { now: context.clock.now(), policies: [] }).catch(
        async (error: unknown) => {
          throw await explained(error, reads, runId);
        },
      );
      return { runId };
    });
  });
}

type OutputChange = Omit<Parameters<RunActions['changeOutput']>[0], 'runId'>;

/**
 * Returns the outputs to change, at most one: a second one might be refused after the first was changed.
 * @throws EngineError `cli.usage`
 */
async function changedOutputs(context: CliContext, { output, by }: ResumeOptions): Promise<readonly OutputChange[]> {
  if (output.length > 1) throw usageError('--output can be used once. Change the outputs of a paused run one by one.');
  const outputs = (await outputsIn(context, output)) ?? {};
  const who = by === undefined ? {} : { by };
  return Object.entries(outputs).map(([nodeId, value]) => ({ nodeId, output: value, ...who }));
}

/** @throws EngineError `cli.usage` for options that act only on this machine */
function refuseLocalOptions(options: ResumeOptions): void {
  const { allow, yes, trust, skip, edit, raise, output } = options;
  const changes = { '--skip': skip, '--edit': edit, '--raise': raise, '--output': output[0] };
  const flags = { '--allow': allow, '--yes': yes, '--trust': trust, ...changes };
  const [given] = Object.entries(flags).find(([, value]) => value !== undefined) ?? [];
  if (given !== undefined) throw usageError(`${given} acts only on this machine, not on runs in a shared history.`);
}

interface LeftBehind {
  readonly engine: LeftProcessEngine;
  readonly runId: RunId;
  readonly yes: true | undefined;
}

/** Lists processes that an interrupted run's commands have left running, and ends them if the user agrees. */
async function offerToEnd({ terminal }: CliContext, { engine, runId, yes }: LeftBehind): Promise<void> {
  const processes = await engine.listLeftProcesses(runId);
  if (processes.length === 0) return;
  terminal.err('Commands of this run were interrupted and have left processes running:');
  for (const { pid, command } of processes) terminal.err(oneLine(`- ${pid}: ${command}`));
  const isAgreed = yes === true || (await askPerson('End them? [y/N] '));
  if (isAgreed === true) {
    await engine.endLeftProcesses({ runId, processes });
    terminal.err('The processes were ended.');
  } else terminal.err(isAgreed === undefined ? 'They keep running. Add --yes to end them.' : 'They keep running.');
}

/** Reports that another process continues the run. */
function reportOtherOwner({ terminal }: CliContext, status: RunStatus, isAnswer: boolean): void {
  const isRunning = status === 'queued' || status === 'running';
  const state = isRunning ? 'is running in another program' : `is now ${status} in another program`;
  terminal.err(`${isAnswer ? 'Your answer was accepted. ' : ''}The run ${state}.`);
}

type Waiting = Pick<RunReads, 'getRun' | 'waiting'>;

/**
 * Adds help for terminal users: each of an answer's problems on its own line, or the commands that continue the run.
 */
async function explained(error: unknown, engine: Waiting, runId: RunId): Promise<unknown> {
  if (!EngineError.is(error)) return error;
  const lines = error.code === 'answer.invalid' ? problemLines(error) : await commandLines(error, engine, runId);
  if (lines.length === 0) return error;
  return new EngineError({ code: error.code, message: lines.join('\n'), details: error.details, cause: error });
}

/** Lists each problem with its field and code. */
function problemLines({ nodeId, details }: EngineError): readonly string[] {
  const problems = Array.isArray(details) ? (details as readonly ResumeFieldProblem[]) : [];
  if (problems.length === 0) return [];
  const lines = problems.map(({ code, field, message }) => {
    const place = field === undefined ? code : `${field} (${code.replace(`:${field}`, '')})`;
    return `  ${oneLine(place)}: ${oneLine(message)}`;
  });
  return [`The answer does not match the request of "${oneLine(nodeId ?? '')}". The run is still waiting.`, ...lines];
}

interface ResumeFieldProblem {
  readonly code: string;
  readonly field?: string;
  readonly message: string;
}

async function commandLines({ code, message }: EngineError, engine: Waiting, runId: RunId): Promise<readonly string[]> {
  if (code !== 'run.invalid-state' || (await engine.getRun(runId)).status !== 'suspended') return [];
  const waiting = await engine.waiting(runId);
  // The run has its answer, but no process continues it.
  if (waiting.length === 0) return [`${message} To continue the run: millrace resume ${runId}`];
  const requests = waiting.map(({ name, key, request }) => ({ name, key, kind: answerKindOf(request) }));
  return [message, 'To answer:', ...answerCommands(runId, requests).map((command) => `  ${command}`)];
}

/**
 * Returns whether the options answer a request. @throws EngineError `cli.usage` if options that require an answer are
 * used without one
 */
function isAnswer({ approve, reject, scope, comment, node, key, answer: file, by, output }: ResumeOptions): boolean {
  if (scope !== undefined && approve !== true) throw usageError('--scope requires --approve.');
  if (approve === true || reject === true || file !== undefined) return true;
  if (output.length > 0) return false;
  const [stray] = Object.entries({ '--node': node, '--key': key, '--comment': comment, '--by': by }).filter(
    ([, value]) => value !== undefined,
  );
  if (stray === undefined) return false;
  throw usageError(`${stray[0]} requires an answer: add --approve, --reject or --answer.`);
}

/** Returns what the options say about a paused run; undefined if nothing. @throws EngineError `cli.usage` */
async function actionOf(context: CliContext, options: ResumeOptions): Promise<ResumeArguments | undefined> {
  const { continue: goOn, step, skip, edit, raise, node, by } = options;
  const of = { ...(node === undefined ? {} : { nodeId: node }), ...(by === undefined ? {} : { by }) };
  if (goOn === true || step === true) return { action: step === true ? 'step' : 'continue', ...of };
  if (raise !== undefined) return { action: 'raise', raised: Object.fromEntries(raise.map(parseLimit)), ...of };
  if (skip !== undefined) return { action: 'skip', output: await jsonIn(context, '--skip', skip), ...of };
  if (edit === undefined) return undefined;
  const input = await jsonIn(context, '--edit', edit);
  if (!isJsonMap(input)) throw usageError('--edit does not contain a JSON object with the input of the node.');
  return { action: 'edit', input, ...of };
}

/** @throws EngineError `cli.usage` */
function parseLimit(words: string): [part: string, limit: number] {
  const [, part = '', number = ''] = /^(\w+)=(\d+(?:\.\d+)?)$/.exec(words) ?? [];
  const limit = Number(number);
  if (budgetParts.some((one) => one === part) && limit > 0) return [part, limit];
  throw usageError(`--raise ${words} is not a limit. Write ${budgetParts.map((one) => `${one}=LIMIT`).join(', ')}.`);
}

/** @throws EngineError `cli.usage`; `files.*` */
async function answerOf(context: CliContext, options: ResumeOptions): Promise<ResumeArguments> {
  const { approve, reject, scope, comment, node, key, answer: file, by } = options;
  const action = await actionOf(context, options);
  if (action !== undefined) return action;
  if (options.allow === true || !isAnswer(options)) return {};
  return {
    ...(approve === undefined || scope !== undefined ? {} : { decision: 'approve' }),
    ...(scope === undefined ? {} : { payload: { approved: true, scope } }),
    ...(reject === undefined ? {} : { decision: 'reject' }),
    ...(file === undefined ? {} : { payload: await payloadIn(context, file) }),
    ...(comment === undefined ? {} : { comment }),
    ...(node === undefined ? {} : { nodeId: node }),
    ...(key === undefined ? {} : { key }),
    ...(by === undefined ? {} : { by }),
  };
}

/** @throws EngineError `cli.usage` */
async function payloadIn(context: CliContext, shown: string): Promise<JsonMap> {
  const value = await jsonIn(context, '--answer', shown);
  if (isJsonMap(value)) return value;
  throw usageError('--answer does not contain a JSON object: { "approved": true } or { "values": { … } }.');
}

/** Shows the stored event that suspended the run. */
async function printRequests(
  context: CliContext,
  { reads, runId, json }: { reads: RunHistoryReader; runId: RunId; json: GlobalOptions['json'] },
): Promise<void> {
  const { events } = await readWholeRun(reads, runId);
  const at = events.findLastIndex(({ event }) => event.type === 'run:suspended');
  const reporter = createReporter(context, { json });
  reporter.recall(events.slice(0, at));
  reporter.take(events.slice(at, at + 1));
  reporter.close();
}
