/**
 * Implements `run --on`: starts a flow with Restate and shows it, like a local run.
 */
import { RestateClient } from '../../host/durable/restate-client.ts';
import type { StartRun } from '../../host/executor/flow-jobs.ts';
import { inMemory } from '../../index.ts';
import type { CliContext } from '../cli-context.ts';
import { usageError } from '../exit-code.ts';
import { followRun } from '../follow-run.ts';
import type { CliRunOptions } from './run-options.ts';
import { withEngine } from './with-engine.ts';
import { followedEngine, withShared } from './with-shared.ts';

/**
 * Starts the run and follows it until it has ended or waits for a person.
 * @param request the validated flow. @param workspace absolute path
 * @returns the exit code
 * @throws EngineError `cli.usage` | `flow.*` | `restate.*` | `store.*`
 */
export async function runOn(
  context: CliContext,
  options: CliRunOptions,
  { request, workspace }: { readonly request: StartRun; readonly workspace: string },
): Promise<number> {
  refuseLocalFlags(options);
  const { json, trust } = options;
  const run = await withEngine(context, { workspace, store: inMemory, trust }, (engine) => engine.prepareRun(request));
  return await withShared(context, { ...options, workspace }, async (shared) => {
    const { history, runs, restate } = shared;
    if (restate === undefined) throw usageError('run --history needs --on, the Restate server that executes the run.');
    const client = new RestateClient(restate, history.workspace);
    const { autonomy, maxParallel } = request;
    return await followRun(context, { engine: followedEngine(shared), json }, () =>
      runs.start(
        {
          run,
          ...(autonomy === undefined ? {} : { autonomy }),
          ...(maxParallel === undefined ? {} : { maxParallel }),
        },
        client,
      ),
    );
  });
}

/** @throws EngineError `cli.usage` */
function refuseLocalFlags({ only, to, pin, cassette, mode }: CliRunOptions): void {
  const flags = { '--only': only, '--to': to, '--pin': pin[0], '--cassette': cassette, '--mode': mode };
  const [given] = Object.entries(flags).find(([, value]) => value !== undefined) ?? [];
  if (given !== undefined) throw usageError(`${given} is not available with --on. Run the flow without --on.`);
}
