/**
 * Implements `run` for agents.
 */
import path from 'node:path';
import type { AcceptedAgent, Engine, StartAgent } from '../../index.ts';
import { type Diagnostic, EngineError, hasErrors, type RunId } from '../../isomorphic.ts';
import { onSignals } from '../cancel-on-signals.ts';
import type { CliContext } from '../cli-context.ts';
import { exitCode, usageError } from '../exit-code.ts';
import { readFlowSource, showProblems } from '../flow-source.ts';
import { followRun } from '../follow-run.ts';
import type { RunTarget } from '../run-target.ts';
import { startAsking } from './ask-before-start.ts';
import { askPerson } from './ask-person.ts';
import { agentProblemsOf } from './file-problems.ts';
import { type CliRunOptions, cassetteOf } from './run-options.ts';
import { withEngine } from './with-engine.ts';

type AgentTarget = Omit<Extract<RunTarget, { readonly kind: 'agent' }>, 'kind'>;

/**
 * Runs an agent, then runs it again whenever it requests a redo or, with `--watch`, whenever it changes.
 * @returns the exit code
 * @throws EngineError `cli.usage`, and errors of the engine before a run starts
 */
export async function runAgent(context: CliContext, target: AgentTarget, options: CliRunOptions): Promise<number> {
  const request = requestOf(context, target.agent, options);
  const { workspace, file } = target;
  if (file !== undefined && !(await isRunnable(context, file))) return exitCode.refused;
  const { store, trust, history } = options;
  const place = { ...{ workspace, store, trust, history }, ...cassetteOf(context, options) };
  return await withEngine(context, place, async (engine) => {
    const isVerbose = request.isVerbose === true || request.dry !== undefined;
    const follow = (start: () => Promise<{ runId: RunId } | undefined>): Promise<number> =>
      followRun(context, { engine, json: options.json, isVerbose }, start);
    try {
      const code = await follow(() => startAgent(context, engine, request));
      const isOver = code === exitCode.denied || code === exitCode.cancelled;
      if (options.watch !== true || isOver) return code;
    } catch (error) {
      return showInvalid(context, target, error);
    }
    return await watchingRuns({ context, engine, target }, () =>
      follow(() => startAsking(engine, () => engine.redo({}))),
    );
  });
}

/** Shows the file's problems. Returns whether it can run. */
async function isRunnable(context: CliContext, file: string): Promise<boolean> {
  const source = await readFlowSource(context, path.relative(context.folder, file));
  const problems = agentProblemsOf(source);
  showProblems(context, source.shown, problems);
  return !hasErrors(problems);
}

/** Shows the problems that prevent a pack agent from running. @throws any other error */
function showInvalid(context: CliContext, { agent }: AgentTarget, error: unknown): number {
  if (!EngineError.is(error) || error.code !== 'agent.invalid') throw error;
  const { diagnostics } = error.details as { readonly diagnostics: readonly Diagnostic[] };
  showProblems(context, agent, diagnostics);
  return exitCode.refused;
}

function requestOf({ folder }: CliContext, agent: string, options: CliRunOptions): StartAgent {
  const { onInputs, onFiles, dry, verbose, yes } = options;
  refuseFlowFlags(agent, options);
  if (onInputs.length > 0 && onFiles.length > 0) {
    throw usageError('Cannot use both --on-inputs and --on-files. Use either -i or -f.');
  }
  return {
    agent,
    folder,
    ...(onInputs.length === 0 ? {} : { inputs: onInputs }),
    ...(onFiles.length === 0 ? {} : { files: onFiles }),
    ...(dry === undefined ? {} : { dry }),
    ...(verbose === true ? { isVerbose: true } : {}),
    ...(yes === true ? { installsMissing: true } : {}),
  };
}

function refuseFlowFlags(agent: string, options: CliRunOptions): void {
  const { input, inputFile, parallel, autonomy, only, to, pin, break: breaks } = options;
  const flag = input.length > 0 ? '--input' : inputFile !== undefined ? '--input-file' : undefined;
  if (flag !== undefined) {
    throw usageError(`${flag} is for flows, and ${agent} is an agent. Pass its inputs with -i TEXT or -f GLOB.`);
  }
  const ofNodes = { '--only': only, '--to': to, '--pin': pin[0], '--break': breaks[0] };
  const [part] = Object.entries(ofNodes).find(([, value]) => value !== undefined) ?? [];
  if (part !== undefined) throw usageError(`${part} is for nodes of flows, and ${agent} is an agent.`);
  if (autonomy !== undefined) throw usageError(`--autonomy is for flows, and ${agent} is an agent.`);
  if (parallel !== undefined) {
    throw usageError(`--parallel is for flows. For an agent, set input_concurrency under # Options.`);
  }
}

/** Starts the run. Returns undefined if the user declines to install a required pack. */
async function startAgent(
  context: CliContext,
  engine: Engine,
  request: StartAgent,
): Promise<{ runId: RunId } | undefined> {
  let accepted: AcceptedAgent = await startAsking(engine, () => engine.startAgent(request));
  while ('work' in accepted) {
    const { workId, data } = accepted.work;
    if (!(await isInstallWanted(context, String(data['packRef'])))) {
      await engine.cancelWork(workId);
      return undefined;
    }
    accepted = await engine.confirmWork(workId);
  }
  return accepted;
}

/** Asks in the terminal. Without an interactive terminal, the answer is no. */
async function isInstallWanted({ terminal }: CliContext, packRef: string): Promise<boolean> {
  const answer = await askPerson(`The pack ${packRef} is not installed. Packs contain code. Install it? [y/N] `);
  if (answer === undefined) {
    terminal.err(`millrace: the pack ${packRef} is not installed. Install it with millrace install, or add --yes.`);
  }
  return answer === true;
}

interface AgentFollowContext {
  readonly context: CliContext;
  readonly engine: Engine;
  readonly target: { readonly agent: string; readonly file?: string };
}

/**
 * Runs again whenever the agent, its scripts or its pack change, one run at a time, until Ctrl-C.
 * @returns the exit code
 */
async function watchingRuns(
  { context, engine, target }: AgentFollowContext,
  runAgain: () => Promise<number>,
): Promise<number> {
  let isOver = false;
  let wake = (): void => {};
  const stop = (): void => {
    isOver = true;
    wake();
  };
  let hasChanged = false;
  const unwatch = await engine.watchAgent(target.file ?? target.agent, () => {
    hasChanged = true;
    wake();
  });
  const stopListening = onSignals(stop);
  try {
    for (;;) {
      context.terminal.err(`Watching ${target.agent}. Press Ctrl-C to stop.`);
      while (!hasChanged && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      if (isOver) return exitCode.ok;
      hasChanged = false;
      await runAgain().catch((error: unknown) => {
        // Partially saved files are expected while watching.
        if (!EngineError.is(error)) throw error;
        context.terminal.err(`millrace: ${error.message}`);
      });
    }
  } finally {
    stopListening();
    unwatch();
  }
}
