/**
 * Edits of a catalog that are shared by canvas and inspector.
 */
import { type CatalogueDoc, newFlowType } from '../../engine/isomorphic.ts';
import { useStores } from '../stores/stores-context.tsx';
import type { SettledFlow } from '../stores/use-flow.ts';
import { freeName } from './catalogue-lanes.ts';
import { text } from './text.ts';

/** Returns why a catalog can be changed only as text, or null if it can be changed on the canvas. */
export function readOnlyReason({ readOnlyReason: reason, isDocStale, catalogue }: SettledFlow): string | null {
  if (reason !== null) return reason;
  return isDocStale || catalogue === null ? text.canvas.locked : null;
}

interface CatalogueActions {
  /** Adds a flow to an intent, after another one, and selects it. */
  add(catalogue: CatalogueDoc, intent: string, after?: string): Promise<void>;
  /** Adds an intent without flows, and selects it. */
  addIntent(catalogue: CatalogueDoc): Promise<void>;
  /** Removes a flow, and selects the one before it. */
  remove(catalogue: CatalogueDoc, flow: string): Promise<void>;
  /** Resolves to whether the flow has the new name. */
  rename(flow: string, to: string): Promise<boolean>;
}

export function useCatalogueActions(path: string): CatalogueActions {
  const { edits, selection } = useStores();
  const select = (flow: string | null): void => selection.getState().selectNode(path, flow);
  return {
    async add(catalogue, intent, after) {
      const name = freeName(
        'new_flow',
        catalogue.flows.map((flow) => flow.name),
      );
      const place = after === undefined ? {} : { after };
      const isAdded = await edits.changeCatalogue(path, { do: 'add-flow', flow: newFlowType(name, intent), ...place });
      if (isAdded) select(name);
    },
    async addIntent(catalogue) {
      const name = freeName('Intent', Object.keys(catalogue.intents));
      const change = { do: 'set-in-catalogue', path: ['intents', name], value: {} } as const;
      if (await edits.changeCatalogue(path, change)) selection.getState().choose(path, { groups: [name] }, null);
    },
    async remove({ flows }, flow) {
      const index = flows.findIndex(({ name }) => name === flow);
      const next = flows[index - 1] ?? flows[index + 1];
      if (await edits.changeCatalogue(path, { do: 'remove-flow', flow })) select(next?.name ?? null);
    },
    async rename(flow, to) {
      const isRenamed = await edits.changeCatalogue(path, { do: 'rename-flow', flow, to });
      if (isRenamed) select(to);
      return isRenamed;
    },
  };
}
