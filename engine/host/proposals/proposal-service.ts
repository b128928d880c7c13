/**
 * Provides proposals to host programs. The code that reads and writes files is loaded on first use.
 */
import type { ProposalEngine, ProposalWorld } from './proposal.ts';

/** Creates the part of an engine that handles proposals. The caller must close it. */
export function createProposalService(world: ProposalWorld): {
  readonly engine: ProposalEngine;
  close(): Promise<void>;
} {
  const { workspace } = world;
  const files = () => import('./proposal-files.ts');
  const watch = async () => (await import('./proposal-watch.ts')).watchProposals(world);
  const watches = new Set<Promise<() => Promise<void>>>();
  const engine: ProposalEngine = {
    async listProposals() {
      const { readProposals, summaryOf } = await files();
      const { proposals, problems } = await readProposals(workspace);
      return { proposals: proposals.map(summaryOf), problems };
    },
    readProposal: async (id) => (await files()).readOneProposal(workspace, id),
    addProposal: async (request) => (await import('./add-proposal.ts')).addProposal(request, world),
    async setProposalStatus({ id, status }) {
      const { readOneProposal, writeProposal } = await files();
      await writeProposal(workspace, { ...(await readOneProposal(workspace, id)), status });
    },
    watchProposals(listener) {
      const watching = watch().then((start) => start(listener));
      watches.add(watching);
      return () => {
        watches.delete(watching);
        void watching.then((end) => end());
      };
    },
  };
  return {
    engine,
    async close() {
      for (const watching of watches) await (await watching)();
      watches.clear();
    },
  };
}
