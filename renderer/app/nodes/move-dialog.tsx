/**
 * Moves the selected nodes into the body of a loop that is chosen by name.
 */
import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import { bodyMove, loopsToJoin } from '../../outline/outline-moves.ts';
import { editableFlow } from '../commands/active-file.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import type { FoundItem } from '../quick-pick/find-items.ts';
import { QuickPick } from '../quick-pick/quick-pick.tsx';
import { NodeIcon } from './node-icon.tsx';
import { text } from './text.ts';

export function MoveDialog() {
  const context = useCommandContext();
  const { stores, dialogs } = context;
  const isOpen = useStore(dialogs, ({ open }) => open === 'move-into-loop');
  // The flow at the time the dialog opens.
  const flow = useMemo(() => (isOpen ? editableFlow(context) : undefined), [isOpen, context]);
  const items = useMemo(() => {
    const loops = flow === undefined ? [] : loopsToJoin(flow, flow.nodeIds);
    return loops.map((id): FoundItem => {
      const name = flow?.doc.nodes.find((node) => node.id === id)?.name;
      return { id, kind: 'node', title: id, detail: name ?? '' };
    });
  }, [flow]);
  const refusalOf = useCallback(
    ({ id }: FoundItem) => {
      const move = flow === undefined ? '' : bodyMove(flow, flow.nodeIds, id);
      return typeof move === 'string' ? move : null;
    },
    [flow],
  );
  const put = async (id: string): Promise<void> => {
    const move = flow === undefined ? '' : bodyMove(flow, flow.nodeIds, id);
    if (flow === undefined || typeof move === 'string') return;
    if (await stores.edits.change(flow.path, move.change)) {
      stores.selection.getState().choose(flow.path, { nodes: move.ids }, flow.nodeId);
    }
  };
  const count = flow?.nodeIds.size ?? 0;
  return (
    <QuickPick
      isOpen={isOpen && count > 0}
      onClose={() => dialogs.getState().close()}
      title={text.moveIntoLoop.title({ count, node: [...(flow?.nodeIds ?? [])].join() })}
      placeholder={text.moveIntoLoop.placeholder}
      items={items}
      refusalOf={refusalOf}
      iconOf={() => <NodeIcon type="control.foreach" />}
      empty={items.length === 0 ? text.moveIntoLoop.noLoops : text.moveIntoLoop.empty}
      onPick={(id) => void put(id)}
    />
  );
}
