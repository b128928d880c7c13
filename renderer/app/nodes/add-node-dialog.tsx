/**
 * Adds a node by keyboard: selects its type, and whether it goes after the selected node or into a loop.
 */
import { useCallback, useEffect, useMemo, useState } from 'react';
import { useStore } from 'zustand';
import { isJsonList, isLoop, type NodeDoc, productOfPath } from '../../../engine/isomorphic.ts';
import { type AddWhere, addition } from '../../outline/outline-changes.ts';
import { insteadOf, noteRecentType, stepChoice, type TypeNeighbour, typeChoice } from '../../stores/flow/node-types.ts';
import type { OfferedType } from '../../stores/flow/offered-type.ts';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { useNodeTypes } from '../../stores/use-node-types.ts';
import { Segmented } from '../../ui/segmented.tsx';
import { editableFlow } from '../commands/active-file.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import type { FoundItem } from '../quick-pick/find-items.ts';
import { QuickPick } from '../quick-pick/quick-pick.tsx';
import { NodeIcon } from './node-icon.tsx';
import { text } from './text.ts';

const words = text.add;

/** @param reason set if the type was found by its name in another tool */
function typeItem({ key, type, title, description, example }: OfferedType, reason?: string): FoundItem {
  return { id: key, kind: 'node', title, detail: reason || words.detail({ type, description }), about: example };
}

/** Returns types as items, with their section headings. */
/** @param stepsOf path of the flow if it is a list of steps */
function typeItems(neighbour: TypeNeighbour | null, stepsOf: string | undefined) {
  const choose = (query: string) =>
    stepsOf === undefined ? typeChoice(query, neighbour) : stepChoice(query, productOfPath(stepsOf));
  const sections = choose('');
  return {
    items: sections.flatMap(({ types }) => types.map((offer) => typeItem(offer))),
    sections: new Map(sections.flatMap(({ title, types }) => types.map(({ key }) => [key, title] as const))),
    find(query: string): FoundItem[] {
      const { reasons } = insteadOf(query);
      return choose(query).flatMap(({ types }) => types.map((offer) => typeItem(offer, reasons.get(offer.key))));
    },
  };
}

export function AddNodeDialog() {
  const context = useCommandContext();
  const { stores, dialogs } = context;
  const open = useStore(dialogs, (state) => state.open);
  const isOpen = open === 'add-node' || open === 'add-for-failure';
  const [chosen, setChosen] = useState<AddWhere | null>(null);
  const flow = isOpen ? editableFlow(context) : undefined;
  const isLane = isStepFlow(flow?.doc);
  const stepsOf = isLane ? flow?.path : undefined;
  const near = flow?.doc.nodes.find(({ id }) => id === flow.nodeId);
  const hasBody = isLoop(near?.type);
  const where = whereFor(near, chosen ?? (open === 'add-for-failure' ? 'failed' : null));
  const before = where === 'behind' ? (near ?? null) : null;
  // Read again each time the dialog opens, because the recently used types are not React state.
  const types = useNodeTypes();
  useEffect(() => {
    if (isOpen) void stores.tools.getState().refresh();
  }, [isOpen, stores]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the items depend on the current types
  const { items, sections, find } = useMemo(
    () => typeItems(isOpen && before !== null ? { side: 'before', node: before } : null, stepsOf),
    [isOpen, before, types, stepsOf],
  );
  const sectionOf = useCallback(({ id }: FoundItem) => sections.get(id) ?? null, [sections]);

  const add = async (type: string): Promise<void> => {
    const made =
      flow === undefined
        ? null
        : addition(flow, type, { near: near?.id ?? null, where, models: stores.models.getState().known });
    if (flow === undefined || made === null) return;
    setChosen(null);
    noteRecentType(type);
    if (await stores.edits.change(flow.path, made.change)) {
      stores.selection.getState().choose(flow.path, { nodes: made.ids });
    }
  };
  return (
    <QuickPick
      isOpen={isOpen && flow !== undefined}
      onClose={() => {
        setChosen(null);
        dialogs.getState().close();
      }}
      title={titleOf(near, isLane)}
      placeholder={isLane ? words.stepPlaceholder : words.placeholder}
      items={items}
      find={find}
      sectionOf={sectionOf}
      iconOf={({ id }) => <NodeIcon type={id} />}
      empty={(query) => insteadOf(query).hints[0] ?? words.empty}
      header={
        near === undefined || isLane ? null : (
          <div className="pick-header">
            <Segmented<AddWhere>
              label={words.where}
              value={where}
              options={[
                { value: 'behind', text: words.after({ node: near.id }) },
                { value: 'failed', text: words.onFailure },
                ...(hasBody ? [{ value: 'inside', text: words.inside({ node: near.id }) } as const] : []),
                { value: 'alone', text: words.alone },
              ]}
              onChange={setChosen}
            />
          </div>
        )
      }
      onPick={(type) => void add(type)}
    />
  );
}

function titleOf(near: NodeDoc | undefined, isLane: boolean): string {
  if (isLane) return near === undefined ? words.stepAtEnd : words.stepAfter({ node: near.id });
  return near === undefined ? words.title : words.titleNear({ node: near.id });
}

/** Returns where a new node can go. Uses the wanted place if it is possible. */
function whereFor(near: NodeDoc | undefined, wanted: AddWhere | null): AddWhere {
  if (near === undefined) return 'alone';
  if (wanted === null) return isEmptyLoop(near) ? 'inside' : 'behind';
  return wanted === 'inside' && !isLoop(near.type) ? 'behind' : wanted;
}

function isEmptyLoop({ type, input }: NodeDoc): boolean {
  const body = input['body'];
  return isLoop(type) && isJsonList(body) && body.length === 0;
}
