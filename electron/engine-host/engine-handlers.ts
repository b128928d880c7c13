/**
 * What the engine answers to one window: the contract's names, said to the engine.
 */
import type { Engine } from '../../engine/index.ts';
import { asRunId } from '../ipc/engine-base.ts';
import type { engineContract } from '../ipc/engine-contract.ts';
import type { Handlers } from '../ipc/rpc.ts';
import { createAgentHandlers } from './agent-handlers.ts';
import { createFileHandlers } from './file-handlers.ts';

type RerunFrom = Parameters<Engine['rerunFrom']>[0];

/** The handlers of one window; `acknowledge` hears how many pushed events it has applied. */
export function createEngineHandlers(
  engine: Engine,
  acknowledge: (events: number) => void,
): Handlers<typeof engineContract> {
  return {
    ...createAgentHandlers(engine),
    ...createFileHandlers(engine),
    'engine.info': () => ({ workspace: engine.workspace, notices: engine.notices }),
    'flow.list': async () => ({ flows: await engine.listFlows() }),
    'flow.read': ({ path }) => engine.readFlow(path),
    'run.start': (request) => engine.startRun(request),
    'run.redo': ({ runId, text }) =>
      engine.redo({
        ...(runId === undefined ? {} : { runId: asRunId(runId) }),
        ...(text === undefined ? {} : { text }),
      }),
    'run.resume': ({ runId, decision, comment, nodeId }) =>
      engine.resumeRun({
        runId: asRunId(runId),
        ...(decision === undefined ? {} : { decision }),
        ...(comment === undefined ? {} : { comment }),
        ...(nodeId === undefined ? {} : { nodeId }),
      }),
    'run.rerun': (request) => engine.rerunFrom(rerunFrom(request)),
    'run.planRerun': async (request) => ({ steps: await engine.planRerun(rerunFrom(request)) }),
    'run.cancel': ({ runId }) => {
      engine.cancelRun(asRunId(runId));
      return {};
    },
    'run.list': (query) => ({ runs: engine.listRuns(query) }),
    'run.get': ({ runId }) => ({
      run: engine.getRun(asRunId(runId)),
      definition: engine.readDefinition(asRunId(runId)),
    }),
    'run.events': ({ runId, afterSeq, limit }) => ({ events: engine.readEvents(asRunId(runId), afterSeq, limit) }),
    'run.acknowledge': ({ events }) => {
      acknowledge(events);
      return {};
    },
    'value.read': ({ hash }) => ({ value: engine.readValue(hash) }),
  };
}

function rerunFrom({ runId, nodeId, text }: { runId: string; nodeId: string; text?: string | undefined }): RerunFrom {
  return { runId: asRunId(runId), nodeId, ...(text === undefined ? {} : { text }) };
}
