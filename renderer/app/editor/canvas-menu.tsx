/**
 * The context menu of a canvas: for what was pressed, the commands that fit it, from the one list.
 */
import { Fragment, type ReactNode } from 'react';
import type { MenuSubject } from '../../stores/window/canvases.ts';
import { ContextMenu, ContextMenuItem, ContextMenuSeparator } from '../../ui/context-menu.tsx';
import { activeCanvas } from '../commands/canvas-commands.ts';
import { useCommand, useCommandContext } from '../commands/command-context.tsx';
import type { CommandId } from '../commands/commands.ts';
import './canvas-menu.css';

const clipboard: readonly CommandId[] = ['edit.cut', 'edit.copy', 'edit.duplicate'];

const menus: Readonly<Record<MenuSubject, readonly (readonly CommandId[])[]>> = {
  node: [
    ['canvas.inspect', 'edit.rename', 'edit.addNode', 'agent.open'],
    ['run.fromHere', 'edit.toggleDisabled', 'format.node'],
    clipboard,
    ['edit.group', 'canvas.selectUpstream', 'canvas.selectDownstream'],
    ['edit.delete', 'edit.deleteAndHeal'],
  ],
  nodes: [
    ['edit.toggleDisabled', 'edit.group', 'edit.ungroup'],
    ['edit.align', 'canvas.layout', 'canvas.fitSelection'],
    clipboard,
    ['edit.delete', 'edit.deleteAndHeal'],
  ],
  edge: [['edit.addNode'], ['edit.delete']],
  note: [['canvas.inspect', 'canvas.notes'], clipboard, ['edit.delete']],
  group: [['edit.rename', 'canvas.collapse', 'canvas.collapseAll'], clipboard, ['edit.ungroup']],
  empty: [
    ['edit.addNode', 'edit.note', 'canvas.palette'],
    ['edit.paste', 'edit.pasteLinked', 'canvas.selectAll'],
    ['edit.undo', 'edit.redo'],
    ['canvas.layout', 'canvas.direction', 'canvas.fit', 'canvas.notes', 'canvas.find'],
    ['canvas.exportPng', 'canvas.exportSvg', 'canvas.copyPicture'],
  ],
};

/** Names that say more where the menu says what it is about. */
const texts: Partial<Record<MenuSubject, Partial<Record<CommandId, string>>>> = {
  node: { 'canvas.inspect': 'Open in the inspector', 'edit.addNode': 'Add a node behind it…' },
  edge: { 'edit.addNode': 'Put a node into it…', 'edit.delete': 'Delete the edge' },
  note: { 'canvas.inspect': 'Write on it' },
};

export function CanvasMenu({ children }: { readonly children: ReactNode }) {
  return (
    <ContextMenu trigger={<div className="canvas-menu-place">{children}</div>}>
      <Entries />
    </ContextMenu>
  );
}

/** Drawn when the menu opens, for what is selected then. */
function Entries() {
  const context = useCommandContext();
  const subject = activeCanvas(context)?.menuSubject() ?? 'empty';
  return menus[subject].map((ids, index) => (
    <Fragment key={ids[0]}>
      {index === 0 ? null : <ContextMenuSeparator />}
      {ids.map((id) => (
        <Entry key={id} id={id} text={texts[subject]?.[id]} />
      ))}
    </Fragment>
  ));
}

function Entry({ id, text }: { readonly id: CommandId; readonly text: string | undefined }) {
  const { title, keys, isAvailable, run } = useCommand(id);
  return <ContextMenuItem text={text ?? title} hint={keys} isDisabled={!isAvailable} onSelect={run} />;
}
