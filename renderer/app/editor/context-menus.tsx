/**
 * The context menus of a canvas and of a text. A canvas menu has the commands for the element that was clicked.
 */
import { Fragment, type ReactNode } from 'react';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import type { SettledFlow } from '../../stores/use-flow.ts';
import type { MenuSubject } from '../../stores/window/canvases.ts';
import { runTextAction, type TextAction } from '../../text-view/text-action.ts';
import { ContextMenu, ContextMenuItem, ContextMenuSeparator } from '../../ui/context-menu.tsx';
import { activeFile } from '../commands/active-file.ts';
import { activeCanvas } from '../commands/canvas-commands.ts';
import { useCommand, useCommandContext } from '../commands/command-context.tsx';
import { type CommandId, findCommand } from '../commands/commands.ts';
import { isMac } from '../commands/keymap.ts';
import { printShortcut } from '../commands/shortcut.ts';
import './context-menus.css';
import { text } from './text.ts';

const words = text.menus;

const clipboard: readonly CommandId[] = ['edit.cut', 'edit.copy', 'edit.duplicate'];

const menus: Readonly<Record<MenuSubject, readonly (readonly CommandId[])[]>> = {
  node: [
    ['canvas.inspect', 'edit.rename', 'edit.addNode', 'agent.open', 'flow.openCall'],
    ['run.node', 'run.item', 'run.toHere', 'run.fromHere', 'run.planFromHere', 'compare.models'],
    ['run.breakpoint', 'run.pin', 'run.editPin', 'edit.toggleDisabled', 'format.node'],
    ['assistant.fix', 'assistant.selection'],
    ['edit.addForFailure', 'edit.toggleContinue', 'edit.toggleSuccess'],
    clipboard,
    ['edit.group', 'edit.extract', 'canvas.selectUpstream', 'canvas.selectDownstream'],
    ['edit.delete', 'edit.deleteAndHeal'],
  ],
  nodes: [
    ['run.toHere', 'run.fromHere'],
    ['edit.toggleDisabled', 'edit.group', 'edit.ungroup', 'edit.extract'],
    ['edit.align', 'canvas.layout', 'canvas.fitSelection'],
    ['assistant.selection'],
    clipboard,
    ['edit.delete', 'edit.deleteAndHeal'],
  ],
  edge: [
    ['edit.addNode', 'canvas.inspect', 'edit.toggleSuccess'],
    ['canvas.edgeStart', 'canvas.edgeEnd'],
    ['edit.delete'],
  ],
  note: [['canvas.inspect', 'canvas.notes'], clipboard, ['edit.delete']],
  group: [['edit.rename', 'canvas.collapse', 'canvas.collapseAll'], clipboard, ['edit.extract', 'edit.ungroup']],
  trigger: [['canvas.inspect'], clipboard, ['edit.delete']],
  empty: [
    ['edit.addNode', 'edit.note', 'edit.addTrigger', 'canvas.palette'],
    ['edit.paste', 'edit.pasteLinked', 'canvas.selectAll'],
    ['edit.undo', 'edit.redo'],
    ['canvas.layout', 'canvas.direction', 'canvas.fit', 'canvas.notes', 'canvas.find'],
    ['canvas.exportPng', 'canvas.exportSvg', 'canvas.copyPicture'],
  ],
};

/** Menu labels that replace the command title where the menu's subject is known. */
const texts: Partial<Record<MenuSubject, Partial<Record<CommandId, string>>>> = {
  node: {
    'canvas.inspect': words.inspect,
    'edit.addNode': words.addNodeAfter,
    'edit.toggleSuccess': words.continueAfter,
  },
  edge: {
    'edit.addNode': words.insertNode,
    'canvas.inspect': words.setCondition,
    'canvas.edgeStart': words.edgeStart,
    'canvas.edgeEnd': words.edgeEnd,
    'edit.delete': words.deleteEdge,
  },
  empty: { 'edit.addNode': words.addNodeHere, 'edit.note': words.addNoteHere, 'edit.paste': words.pasteHere },
  note: { 'canvas.inspect': words.editNote },
  trigger: { 'canvas.inspect': words.inspect },
};

export function CanvasMenu({ children }: { readonly children: ReactNode }) {
  return (
    <ContextMenu trigger={<div className="canvas-menu-place">{children}</div>}>
      <CanvasEntries />
    </ContextMenu>
  );
}

/** Rendered when the menu opens, for the current selection. */
function CanvasEntries() {
  const context = useCommandContext();
  const subject = activeCanvas(context)?.menuSubject() ?? 'empty';
  const isLane = isStepFlow(activeFile(context)?.doc);
  const sections = (isLane ? laneMenus : menus)[subject].flatMap((ids) => {
    const offered = isLane ? ids.filter((id) => findCommand(id)?.isForSteps !== false) : ids;
    return offered.length === 0 ? [] : [offered];
  });
  return sections.map((ids, index) => (
    <Fragment key={ids[0]}>
      {index === 0 ? null : <ContextMenuSeparator />}
      {ids.map((id) => (
        <CommandEntry key={id} id={id} text={(isLane ? laneTexts : texts)[subject]?.[id]} />
      ))}
    </Fragment>
  ));
}

const moves: readonly CommandId[] = [
  'edit.nudge-left',
  'edit.nudge-right',
  'edit.nudge-far-left',
  'edit.nudge-far-right',
];
const moveTexts = {
  'edit.nudge-left': words.moveEarlier,
  'edit.nudge-right': words.moveLater,
  'edit.nudge-far-left': words.moveFarEarlier,
  'edit.nudge-far-right': words.moveFarLater,
} as const;

/**
 * Menus for a list of steps. They omit commands that do not apply to steps, and add commands that move a card along its
 * lane.
 */
const laneMenus: typeof menus = {
  ...menus,
  node: [...menus.node.slice(0, 1), moves, ...menus.node.slice(1)],
  nodes: [moves, ...menus.nodes],
  empty: [...menus.empty, ['file.convert']],
};

const laneTexts: typeof texts = {
  node: {
    ...moveTexts,
    'canvas.inspect': words.inspect,
    'edit.addNode': words.addStepAfter,
    'format.node': words.formatStep,
  },
  nodes: moveTexts,
  empty: { 'edit.addNode': words.addStep, 'edit.paste': words.paste },
};

function CommandEntry({ id, text }: { readonly id: CommandId; readonly text?: string | undefined }) {
  const { title, keys, isAvailable, run } = useCommand(id);
  return <ContextMenuItem text={text ?? title} hint={keys} isDisabled={!isAvailable} onSelect={run} />;
}

export function TextMenu({ file, children }: { readonly file: SettledFlow; readonly children: ReactNode }) {
  return (
    <ContextMenu trigger={<div className="canvas-menu-place">{children}</div>}>
      <TextEntries file={file} />
    </ContextMenu>
  );
}

/** Rendered when the menu opens. */
function TextEntries({ file: { kind, readOnlyReason } }: { readonly file: SettledFlow }) {
  const isReadOnly = readOnlyReason !== null;
  return (
    <>
      <CommandEntry id="edit.undo" />
      <CommandEntry id="edit.redo" />
      <ContextMenuSeparator />
      <ActionEntry action="cut" text={words.cut} keys="Mod+X" isDisabled={isReadOnly} />
      <ActionEntry action="copy" text={words.copy} keys="Mod+C" />
      <ActionEntry action="paste" text={words.paste} keys="Mod+V" isDisabled={isReadOnly} />
      {kind === 'flow' || kind === 'dialogue' ? (
        <>
          <ContextMenuSeparator />
          <ActionEntry action="definition" text={words.goToDefinition} keys="F12" />
          <ActionEntry
            action="rename"
            text={kind === 'flow' ? words.renameNode : words.renameFlow}
            keys="F2"
            isDisabled={isReadOnly}
          />
        </>
      ) : null}
      {kind === 'flow' ? (
        <>
          <ContextMenuSeparator />
          <CommandEntry id="format.file" />
          <CommandEntry id="format.selection" />
          <CommandEntry id="format.node" />
          <ContextMenuSeparator />
          <CommandEntry id="run.breakpoint" />
        </>
      ) : null}
    </>
  );
}

interface ActionEntryProps {
  readonly action: TextAction;
  readonly text: string;
  /** The keys, in the notation of shortcuts. */
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
