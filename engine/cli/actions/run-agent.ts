/**
 * What `run` does with an agent.
 */
import { createInterface } from 'node:readline/promises';
import type { AcceptedAgent, Engine, StartAgent } from '../../index.ts';
import type { RunId } from '../../isomorphic.ts';
import type { CliContext } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { followRun } from '../follow-run.ts';
import { cassetteOf, type RunOptions } from './run-options.ts';
import { watchingRuns } from './watch-agent.ts';
import { withEngine } from './with-engine.ts';

interface AgentTarget {
  /** As it was typed. */
  readonly agent: string;
  readonly workspace: string;
}

/**
 * Runs an agent, and again as often as it asks for that; with `--watch` also whenever it changes.
 * @returns the exit code
 * @throws EngineError `cli.usage`, and what the engine throws before a run starts
 */
export async function runAgent(context: CliContext, target: AgentTarget, options: RunOptions): Promise<number> {
  const request = requestOf(context, target.agent, options);
  const { workspace } = target;
  const place = { workspace, store: options.store, trust: options.trust, ...cassetteOf(context, options) };
  return await withEngine(context, place, async (engine) => {
    const start = (): Promise<{ runId: RunId } | undefined> => startAgent(context, engine, request);
    const follow = { engine, json: options.json };
    const code = await followRun(context, follow, start);
    if (options.watch !== true) return code;
    return await watchingRuns({ context, engine, agent: request.agent }, () =>
      followRun(context, follow, () => engine.redo({})),
    );
  });
}

function requestOf({ folder }: CliContext, agent: string, options: RunOptions): StartAgent {
  const { onInputs, onFiles, dry, yes } = options;
  refuseFlowFlags(agent, options);
  if (onInputs.length > 0 && onFiles.length > 0) {
    throw usageError('Cannot use both --on-inputs and --on-files. Give -i or -f, not both.');
  }
  return {
    agent,
    folder,
    ...(onInputs.length === 0 ? {} : { inputs: onInputs }),
    ...(onFiles.length === 0 ? {} : { files: onFiles }),
    ...(dry === undefined ? {} : { dry }),
    ...(yes === true ? { installsMissing: true } : {}),
  };
}

function refuseFlowFlags(agent: string, { input, inputFile, parallel }: RunOptions): void {
  const flag = input.length > 0 ? '--input' : inputFile !== undefined ? '--input-file' : undefined;
  if (flag !== undefined) {
    throw usageError(`${flag} is for flows, and ${agent} is an agent. Give it inputs with -i TEXT or -f GLOB.`);
  }
  if (parallel !== undefined) {
    throw usageError(`--parallel is for flows. An agent says input_concurrency under its # Options.`);
  }
}

/** The run; undefined when nobody agreed to install the pack that it needs. */
async function startAgent(
  context: CliContext,
  engine: Engine,
  request: StartAgent,
): Promise<{ runId: RunId } | undefined> {
  let accepted: AcceptedAgent = await engine.startAgent(request);
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

/** Asks on a terminal; elsewhere nobody can answer. */
async function isInstallWanted({ terminal }: CliContext, packRef: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    terminal.err(`millrace: the pack ${packRef} is not installed. Install it with millrace install, or add --yes.`);
    return false;
  }
  const asking = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await asking.question(`The pack ${packRef} is not installed. A pack is code. Install it? [y/N] `);
    return /^y(?:es)?$/i.test(answer.trim());
  } finally {
    asking.close();
  }
}
