/**
 * Agents that are node types, as described by the engine. Used for rendering and for the checks of open flows.
 */
import type { StoreApi } from 'zustand/vanilla';
import { type FlowDoc, isAgentType } from '../../../engine/isomorphic.ts';
import type { EngineClient } from '../../bridge/engine-client.ts';
import { forgetWindowTypes, setAgentTypes } from '../flow/node-types.ts';
import type { OpenFile } from '../text/file.ts';
import type { OpenFiles } from '../text/files.ts';
import type { DocumentService } from '../text/service.ts';
import type { Packs } from './packs.ts';

/** Maximum number of agents requested by name. */
const mostNamed = 1000;

/** Every change of an open file collects the types of all open files, and most files keep their document. */
const knownTypes = new WeakMap<FlowDoc, readonly string[]>();

function agentTypesOf({ doc }: OpenFile): readonly string[] {
  if (doc === null) return [];
  const known = knownTypes.get(doc);
  if (known !== undefined) return known;
  const types = doc.nodes.map(({ type }) => type).filter(isAgentType);
  knownTypes.set(doc, types);
  return types;
}

interface TypesWorld {
  readonly engine: EngineClient;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly documents: DocumentService;
  readonly packs: StoreApi<Packs>;
}

/**
 * Keeps the types up to date with the agents of the workspace and its packs, and with those used by open flows. A flow
 * that uses agents is checked again when they change. Returns a function that stops it.
 */
export function followAgentTypes({ engine, openFiles, documents, packs }: TypesWorld): () => void {
  let asked: ReadonlySet<string> = new Set();
  let latest = 0;

  const named = (): ReadonlySet<string> =>
    new Set([...openFiles.getState().files.values()].flatMap(agentTypesOf).slice(0, mostNamed));

  const refresh = async (): Promise<void> => {
    const thisOne = ++latest;
    asked = named();
    // Without an engine nothing is loaded. A new engine loads everything again.
    const types = await engine.call('listNodeTypes', { named: [...asked] }).catch(() => null);
    if (types === null || thisOne !== latest || !setAgentTypes(types)) return;
    documents.takeTypes(types);
    const { files, recheck } = openFiles.getState();
    for (const file of files.values()) if (agentTypesOf(file).length > 0) recheck(file.path);
  };
  const refreshSoon = (): void => void refresh();

  const ends = [
    engine.onConnected(refreshSoon),
    engine.stream('watchFiles', ({ paths }) => {
      // Packs of the workspace are folders, which have no file extension. Changes from before file watching started
      // have no paths.
      if (paths.length === 0 || paths.some((path) => !/\.(?:ya?ml|md|txt|json)$/.test(path))) refreshSoon();
    }),
    openFiles.subscribe(({ files }, former) => {
      if (files !== former.files && [...named()].some((type) => !asked.has(type))) refreshSoon();
    }),
    // Installed packs are outside the workspace.
    packs.subscribe(({ list }, former) => {
      if (list !== former.list) refreshSoon();
    }),
  ];
  return () => {
    for (const end of ends) end();
    latest++;
    forgetWindowTypes();
  };
}
