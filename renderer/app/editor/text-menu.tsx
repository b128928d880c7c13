/**
 * The context menu of a text.
 */
import type { ReactNode } from 'react';
import type { SettledFlow } from '../../stores/use-flow.ts';
import { runTextAction, type TextAction } from '../../text-view/text-action.ts';
import { ContextMenu, ContextMenuItem, ContextMenuSeparator } from '../../ui/context-menu.tsx';
import { isMac, useCommand } from '../commands/command-context.tsx';
import type { CommandId } from '../commands/commands.ts';
import { printShortcut } from '../commands/shortcut.ts';
import './canvas-menu.css';

export function TextMenu({ file, children }: { readonly file: SettledFlow; readonly children: ReactNode }) {
  return (
    <ContextMenu trigger={<div className="canvas-menu-place">{children}</div>}>
      <Entries file={file} />
    </ContextMenu>
  );
}

/** Drawn when the menu opens. */
function Entries({ file: { kind, readOnlyReason } }: { readonly file: SettledFlow }) {
  const isReadOnly = readOnlyReason !== null;
  return (
    <>
      <CommandEntry id="edit.undo" />
      <CommandEntry id="edit.redo" />
      <ContextMenuSeparator />
      <ActionEntry action="cut" text="Cut" keys="Mod+X" isDisabled={isReadOnly} />
      <ActionEntry action="copy" text="Copy" keys="Mod+C" />
      <ActionEntry action="paste" text="Paste" keys="Mod+V" isDisabled={isReadOnly} />
      {kind === 'flow' ? (
        <>
          <ContextMenuSeparator />
          <ActionEntry action="definition" text="Go to definition" keys="F12" />
          <ActionEntry action="rename" text="Rename the node" keys="F2" isDisabled={isReadOnly} />
          <ContextMenuSeparator />
          <CommandEntry id="format.file" />
          <CommandEntry id="format.selection" />
          <CommandEntry id="format.node" />
        </>
      ) : null}
    </>
  );
}

function CommandEntry({ id }: { readonly id: CommandId }) {
  const { title, keys, isAvailable, run } = useCommand(id);
  return <ContextMenuItem text={title} hint={keys} isDisabled={!isAvailable} onSelect={run} />;
}

interface ActionEntryProps {
  readonly action: TextAction;
  readonly text: string;
  /** As in shortcuts. */
  readonly keys: string;
  readonly isDisabled?: boolean;
}

function ActionEntry({ action, text, keys, isDisabled = false }: ActionEntryProps) {
  return (
    <ContextMenuItem
      text={text}
      hint={printShortcut(keys, isMac)}
      isDisabled={isDisabled}
      onSelect={() => void runTextAction(action)}
    />
  );
}
