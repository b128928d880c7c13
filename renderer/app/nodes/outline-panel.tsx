/**
 * The outline in the side panel and its commands.
 */
import { Plus } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { Outline } from '../../outline/outline.tsx';
import {
  continuing,
  disabling,
  duplication,
  type MadeChange,
  removal,
  succeeding,
} from '../../outline/outline-changes.ts';
import { noPlainEdge } from '../../stores/flow/branches.ts';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { useSettledFlow } from '../../stores/use-flow.ts';
import { type CanvasCommand, type Direction, isForSteps, outlineHandle } from '../../stores/window/canvases.ts';
import { IconButton } from '../../ui/button.tsx';
import { ContextMenuItem, ContextMenuSeparator } from '../../ui/context-menu.tsx';
import { focusFirstField } from '../../ui/focus-field.ts';
import { type EditableFlow, editableFlow } from '../commands/active-file.ts';
import type { CommandContext } from '../commands/command.ts';
import { useCommand, useCommandContext } from '../commands/command-context.tsx';
import type { CommandId } from '../commands/commands.ts';
import { isInLoop, moveInFile, takeOutOfLoop } from '../commands/node-commands.ts';
import { text } from './text.ts';

/** Commands that the outline handles itself. The canvas handles all others. */
const ownCommands: ReadonlySet<CanvasCommand['do']> = new Set([
  ...(['quick-add', 'rename', 'toggle-disabled', 'remove', 'duplicate'] as const),
  ...(['add-for-failure', 'toggle-continue', 'toggle-success'] as const),
  'nudge',
  ...(['select-all', 'select-none', 'inspect'] as const),
]);

function madeChange(flow: EditableFlow, command: CanvasCommand): MadeChange | null {
  if (flow.nodeIds.size === 0) return null;
  switch (command.do) {
    case 'toggle-disabled':
      return disabling(flow, flow.nodeIds);
    case 'toggle-continue':
      return continuing(flow, flow.nodeIds);
    case 'toggle-success':
      return succeeding(flow, flow.nodeIds);
    case 'remove':
      return removal(flow, flow.nodeIds, command.heal);
    case 'duplicate':
      return duplication(flow, flow.nodeIds);
    default:
      return null;
  }
}

/** Shows the selected node in the inspector and focuses it. */
function inspect({ stores }: CommandContext): void {
  stores.panes.getState().showForm();
  requestAnimationFrame(() => focusFirstField('.inspector'));
}

/** Moves the node in the tree with the keys that move its card on the canvas. */
function nudge(context: CommandContext, direction: Direction): void {
  const isLane = isStepFlow(editableFlow(context)?.doc);
  if (direction === 'up' || direction === 'down') moveInFile(context, direction);
  else if (isLane) moveInFile(context, direction === 'left' ? 'up' : 'down');
  else if (direction === 'right') context.dialogs.getState().show('move-into-loop');
  else if (isInLoop(context)) takeOutOfLoop(context);
}

async function carryOut(
  context: CommandContext,
  command: CanvasCommand,
  rename: (nodeId: string) => void,
): Promise<void> {
  const { stores, dialogs } = context;
  const flow = editableFlow(context);
  if (command.do === 'inspect') inspect(context);
  if (flow === undefined) return;
  const { choose, selectNode } = stores.selection.getState();
  if (command.do === 'quick-add') dialogs.getState().show('add-node');
  if (command.do === 'add-for-failure' && flow.nodeId !== null) dialogs.getState().show('add-for-failure');
  if (command.do === 'rename' && flow.nodeId !== null) rename(flow.nodeId);
  if (command.do === 'select-none') selectNode(flow.path, null);
  if (command.do === 'select-all') choose(flow.path, { nodes: flow.doc.nodes.map(({ id }) => id) });
  if (command.do === 'nudge') nudge(context, command.direction);
  const made = madeChange(flow, command);
  if (command.do === 'toggle-success' && made === null)
    stores.notices.getState().add({ tone: 'info', title: text.outline.noEdgeChanged, detail: noPlainEdge });
  if (made !== null && (await stores.edits.change(flow.path, made.change))) choose(flow.path, { nodes: made.ids });
}

/** Makes the outline available to commands while it is on screen. */
function useOutlineHandle(path: string, rename: (nodeId: string) => void): void {
  const context = useCommandContext();
  const latest = useRef(rename);
  latest.current = rename;
  useEffect(() => {
    const { canvases } = context.stores;
    const canvas = () => canvases.getState().handles.get(path);
    return canvases.getState().offer(outlineHandle(path), {
      run(command) {
        if (ownCommands.has(command.do)) void carryOut(context, command, latest.current);
        else canvas()?.run(command);
      },
      can: (command) =>
        (ownCommands.has(command.do) || canvas() !== undefined) &&
        (isForSteps(command) || !isStepFlow(editableFlow(context)?.doc)),
      menuSubject: () => canvas()?.menuSubject() ?? 'node',
    });
  }, [context, path]);
}

/** @param props.keysOf command with a shortcut that has the same effect here */
function CommandItem({ command, keysOf = command }: { command: CommandId; keysOf?: CommandId }) {
  const { title, isAvailable, isOffered, run } = useCommand(command);
  const { keys } = useCommand(keysOf);
  if (!isOffered) return null;
  return <ContextMenuItem text={title} hint={keys} isDisabled={!isAvailable} onSelect={run} />;
}

const menu = (
  <>
    <CommandItem command="edit.addNode" />
    <CommandItem command="edit.connectTo" />
    <CommandItem command="edit.disconnect" />
    <CommandItem command="edit.addForFailure" />
    <CommandItem command="edit.toggleContinue" />
    <CommandItem command="edit.toggleSuccess" />
    <ContextMenuSeparator />
    <CommandItem command="edit.moveUp" keysOf="edit.nudge-up" />
    <CommandItem command="edit.moveDown" keysOf="edit.nudge-down" />
    <CommandItem command="edit.moveIntoLoop" keysOf="edit.nudge-right" />
    <CommandItem command="edit.takeOutOfLoop" keysOf="edit.nudge-left" />
    <ContextMenuSeparator />
    <CommandItem command="edit.rename" />
    <CommandItem command="edit.duplicate" />
    <CommandItem command="edit.toggleDisabled" />
    <CommandItem command="edit.delete" />
    <CommandItem command="edit.deleteAndHeal" />
    <ContextMenuSeparator />
    <CommandItem command="run.fromHere" />
    <CommandItem command="agent.open" />
    <CommandItem command="canvas.inspect" />
  </>
);

function FlowOutline({ path }: { path: string }) {
  const { stores, dialogs } = useCommandContext();
  const [renaming, setRenaming] = useState<string | null>(null);
  useOutlineHandle(path, setRenaming);
  const context = useCommandContext();
  const finishRename = async (id: string, to: string | null): Promise<void> => {
    setRenaming(null);
    focusOutline();
    if (to === null || !(await stores.edits.change(path, { do: 'rename', id, to }))) return;
    stores.selection.getState().selectNode(path, to);
  };
  return (
    <section className="outline-panel" aria-labelledby="outline-heading">
      <div className="side-heading">
        <h2 id="outline-heading" className="side-title">
          {text.outline.heading}
        </h2>
        <IconButton label={text.outline.add} onClick={() => dialogs.getState().show('add-node')}>
          <Plus aria-hidden size={14} />
        </IconButton>
      </div>
      <Outline
        path={path}
        renaming={renaming}
        onRenamed={(id, to) => void finishRename(id, to)}
        onInspect={() => inspect(context)}
        menu={menu}
      />
    </section>
  );
}

/** Returns the focus to the outline after a name was edited. */
function focusOutline(): void {
  requestAnimationFrame(() => {
    if (document.activeElement !== document.body) return;
    document.querySelector<HTMLElement>('.outline [role="tree"]')?.focus();
  });
}

/** Renders nothing for files that are not flows. */
export function OutlinePanel({ path }: { path: string }) {
  const flow = useSettledFlow(path);
  return flow?.kind === 'flow' && flow.doc !== null ? <FlowOutline path={path} /> : null;
}
