/**
 * Makes what the dialog for new things asks for, and shows it.
 */
import type { Stores } from '../../stores/stores.ts';
import { openPath } from '../commands/open-file.ts';
import { type CreateDraft, pathOfDraft } from './create-draft.ts';

type FlowOrigin =
  | { readonly kind: 'empty'; readonly name: string }
  | { readonly kind: 'example'; readonly example: string }
  | { readonly kind: 'steps'; readonly name: string; readonly steps: { type: string }[] };

function originOf({ beginning, example, steps, name }: CreateDraft): FlowOrigin {
  if (beginning === 'example') return { kind: 'example', example: example ?? '' };
  if (beginning === 'empty') return { kind: 'empty', name };
  return { kind: 'steps', name, steps: steps.map(({ type }) => ({ type })) };
}

async function make({ engine }: Stores, draft: CreateDraft): Promise<string> {
  const path = pathOfDraft(draft);
  switch (draft.kind) {
    case 'flow':
      await engine.call('create.flow', { path, from: originOf(draft) });
      return path;
    case 'agent':
      await engine.call('create.agent', { path, name: draft.name });
      return path;
    case 'pack': {
      const { files, path: folder } = await engine.call('create.pack', { ref: draft.name });
      return files.find((file) => file.endsWith('main.aip')) ?? `${folder}/pack.toml`;
    }
  }
}

/** Writes it, opens it and selects its first node. @throws what the engine answers */
export async function createThing(stores: Stores, draft: CreateDraft): Promise<void> {
  const path = await make(stores, draft);
  stores.fileTree.getState().reveal(path);
  void stores.fileTree.getState().refresh([path]);
  await openPath(stores, path);
  const [first] = stores.openFiles.getState().files.get(path)?.doc?.nodes ?? [];
  if (first !== undefined) stores.selection.getState().selectNode(path, first.id);
}
