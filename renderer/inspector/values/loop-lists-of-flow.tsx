/**
 * Finds the loops that make or read the lists in the values of a flow.
 */
import { type ReactNode, useCallback } from 'react';
import { isJsonMap } from '../../../engine/isomorphic.ts';
import { useStores } from '../../stores/stores-context.tsx';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { type FindLoop, LoopLists } from './loop-lists.ts';

interface LoopListsOfFlowProps {
  readonly flow: SettledFlow;
  /** The node with the values as its input. Undefined for outputs. */
  readonly inputOf?: string;
  readonly children: ReactNode;
}

interface WantedList {
  readonly binding: string | undefined;
  readonly label: string;
  readonly inputOf: string | undefined;
}

/** Returns the ID of the loop that makes or reads a list. */
function loopOf({ doc, nesting }: SettledFlow, { binding, label, inputOf }: WantedList): string | undefined {
  if (doc === null) return undefined;
  if (inputOf !== undefined) return label === 'items' && nesting.bodyOf.has(inputOf) ? inputOf : undefined;
  if (binding === undefined) return undefined;
  const loops = doc.nodes.filter(({ id }) => nesting.bodyOf.has(id));
  const made = loops.find(({ id }) => binding === `${id}.iterations`);
  const read = loops.find(({ input }) => isJsonMap(input) && itemsPath(input['items']) === binding);
  return (made ?? read)?.id;
}

function itemsPath(items: unknown): string | undefined {
  return typeof items === 'string' ? /^\{\{\s*(.+?)\s*\}\}$/.exec(items)?.[1] : undefined;
}

export function LoopListsOfFlow({ flow, inputOf, children }: LoopListsOfFlowProps) {
  const { selection } = useStores();
  const find: FindLoop = useCallback(
    ({ binding, label }) => {
      const loop = loopOf(flow, { binding, label, inputOf });
      const body = loop === undefined ? undefined : flow.nesting.bodyOf.get(loop);
      if (loop === undefined || body === undefined) return undefined;
      return (item, node) => {
        const shown = node !== undefined && body.includes(node) ? node : body[0];
        selection.getState().selectPlace(flow.path, `${loop}[${item}].${shown}`);
      };
    },
    [flow, inputOf, selection],
  );
  return <LoopLists value={find}>{children}</LoopLists>;
}
