/**
 * What the engine answers to one window about agents, packs, models and trust.
 */
import type { Engine } from '../../engine/index.ts';
import type { agentContract } from '../ipc/agent-contract.ts';
import { asRunId } from '../ipc/engine-base.ts';
import type { Handlers } from '../ipc/rpc.ts';

/** The contract's names, said to the engine. */
export function createAgentHandlers(engine: Engine): Handlers<typeof agentContract> {
  return {
    'agent.list': async () => ({ agents: await engine.listAgents() }),
    'agent.read': ({ agent }) => engine.readAgent(agent),
    'agent.start': (request) => engine.startAgent(request),
    'agent.preview': (request) => engine.previewAgent(request),
    'agent.check': async ({ text }) => ({ diagnostics: await engine.checkAgent(text) }),
    'work.confirm': ({ workId }) => engine.confirmWork(workId),
    'work.cancel': async ({ workId }) => {
      await engine.cancelWork(workId);
      return {};
    },
    'run.redone': async ({ runId }) => ({ runId: (await engine.whenRedone(asRunId(runId))) ?? null }),
    'pack.list': async () => ({ packs: await engine.listPacks() }),
    'pack.install': (request) => engine.installPack(request),
    'pack.update': async ({ ref }) => ({ changes: await engine.updatePacks(ref) }),
    'pack.remove': async ({ ref }) => {
      await engine.removePack(ref);
      return {};
    },
    'pack.readme': ({ ref }) => engine.readPackReadme(ref),
    'models.read': () => engine.readModelSettings(),
    'models.saveProvider': async (entry) => {
      await engine.saveProvider(entry);
      return {};
    },
    'models.removeProvider': async ({ name }) => {
      await engine.removeProvider(name);
      return {};
    },
    'models.setDefault': async ({ model }) => {
      await engine.setDefaultModel(model);
      return {};
    },
    'models.setAlias': async ({ alias, model }) => {
      await engine.setAlias(alias, model);
      return {};
    },
    'models.test': ({ name }) => engine.testProvider(name),
    'trust.read': () => engine.readTrust(),
    'trust.set': async ({ isTrusted }) => {
      await engine.setTrust(isTrusted);
      return {};
    },
  };
}
