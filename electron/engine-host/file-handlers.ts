/**
 * What the engine answers to one window about files, and about new flows, agents and packs.
 */
import type { Engine } from '../../engine/index.ts';
import { EngineError } from '../ipc/engine-base.ts';
import type { fileContract } from '../ipc/file-contract.ts';
import type { Handlers } from '../ipc/rpc.ts';

/** One search at a time: who asks for the next one wants no answer to the one before. */
function createSearchHandlers(engine: Engine): Pick<Handlers<typeof fileContract>, 'file.search' | 'file.endSearch'> {
  let underWay: AbortController | undefined;
  const end = (): void =>
    underWay?.abort(new EngineError({ code: 'files.search-ended', message: 'Another search took its place.' }));
  return {
    'file.search': (request) => {
      end();
      underWay = new AbortController();
      return engine.searchFiles(request, underWay.signal);
    },
    'file.endSearch': () => {
      end();
      return {};
    },
  };
}

/** The contract's names, said to the engine. */
export function createFileHandlers(engine: Engine): Handlers<typeof fileContract> {
  return {
    ...createSearchHandlers(engine),
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
