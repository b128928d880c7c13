/**
 * The language of flow files, tied to the stores of the window.
 */
import { useMemo } from 'react';
import { nodeTypes } from '../stores/flow/node-types.ts';
import type { Stores } from '../stores/stores.ts';
import { useStores } from '../stores/stores-context.tsx';
import { createFlowLanguage } from './flow-language/flow-language.ts';
import type { TextLanguage } from './languages.ts';

/** @param openFile opens a file of the workspace; always the same function */
export function useFlowLanguage(openFile: (path: string) => void): TextLanguage {
  const stores = useStores();
  return useMemo(
    () =>
      createFlowLanguage({
        catalog: nodeTypes,
        summaryOf: (path, id) => summaryOf(stores, path, id),
        rename: (path, id, to) => stores.edits.change(path, { do: 'rename', id, to }),
        open(target) {
          if (target.kind === 'file') openFile(target.path);
          else void stores.agents.open(target.name);
        },
      }),
    [stores, openFile],
  );
}

function summaryOf({ openFiles }: Stores, path: string, id: string): string | undefined {
  const node = openFiles
    .getState()
    .files.get(path)
    ?.doc?.nodes.find((candidate) => candidate.id === id);
  if (node === undefined) return undefined;
  const parts = nodeTypes.get(node.type)?.summary?.(node.config ?? {}, node.input) ?? [];
  return parts.map((part) => (typeof part === 'string' ? part : part.chip)).join('');
}
