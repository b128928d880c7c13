/**
 * What the engine answers to one window about files, and about new flows, agents and packs.
 */
import type { Engine } from '../../engine/index.ts';
import type { fileContract } from '../ipc/file-contract.ts';
import type { Handlers } from '../ipc/rpc.ts';

/** The contract's names, said to the engine. */
export function createFileHandlers(engine: Engine): Handlers<typeof fileContract> {
  return {
    'file.list': ({ folder }) => engine.listFolder(folder),
    'file.find': () => engine.findFiles(),
    'file.git': async () => ({ git: await engine.readGit() }),
    'file.read': ({ path }) => engine.readFile(path),
    'file.write': async (request) => {
      await engine.writeFile(request);
      return {};
    },
    'file.create': async (request) => {
      await engine.createFile(request);
      return {};
    },
    'file.rename': async (request) => {
      await engine.renameFile(request);
      return {};
    },
    'file.duplicate': ({ path }) => engine.duplicateFile(path),
    'file.trash': async ({ path }) => {
      await engine.trashFile(path);
      return {};
    },
    'create.flow': (request) => engine.createFlow(request),
    'create.agent': (request) => engine.createAgent(request),
    'create.pack': (request) => engine.createPack(request),
    'create.examples': async () => ({ examples: await engine.listExamples() }),
  };
}
