/**
 * Quick open: files, nodes of the active flow, agents and commands; behind a `>` commands alone.
 */
import { Command as Palette } from 'cmdk';
import { Bot, File, SquareTerminal, Workflow } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { Stores } from '../../stores/stores.ts';
import { useStores } from '../../stores/stores-context.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { activeFile } from '../commands/active-file.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import { useCommandContext } from '../commands/command-context.tsx';
import { commands, findCommand, runCommand } from '../commands/commands.ts';
import { isMac, keysOf } from '../commands/keymap.ts';
import { openPath } from '../commands/open-file.ts';
import { printShortcut } from '../commands/shortcut.ts';
import { type FoundItem, fileItem, findItems } from './find-items.ts';
import '../../ui/popup-list.css';
import './quick-open.css';

const icons: Readonly<Record<FoundItem['kind'], ReactNode>> = {
  command: <SquareTerminal aria-hidden size={14} />,
  file: <File aria-hidden size={14} />,
  node: <Workflow aria-hidden size={14} />,
  agent: <Bot aria-hidden size={14} />,
};

function commandItems(context: CommandContext): FoundItem[] {
  const { keys } = context.stores.editorSettings.getState();
  return commands
    .filter((command: Command) => command.isAvailable?.(context) !== false)
    .map((command: Command): FoundItem => {
      const [shortcut] = keysOf(command, keys);
      const printed = shortcut === undefined ? undefined : printShortcut(shortcut, isMac);
      return {
        id: `command ${command.id}`,
        kind: 'command',
        title: command.title,
        detail: command.group,
        keys: printed,
      };
    });
}

function nodeItems(context: CommandContext): FoundItem[] {
  const flow = activeFile(context);
  return (flow?.doc?.nodes ?? []).map(
    ({ id, type, name }): FoundItem => ({
      id: `node ${id}`,
      kind: 'node',
      title: name ?? id,
      detail: name === undefined ? type : `${id} · ${type}`,
    }),
  );
}

/** Agents outside of the workspace; those in it are files. */
function packAgentItems({ packs }: Stores): FoundItem[] {
  return packs
    .getState()
    .list.flatMap(({ ref, agents }) =>
      agents.map(({ agent }): FoundItem => ({ id: `agent ${agent}`, kind: 'agent', title: agent, detail: ref })),
    );
}

/** All files of the workspace, read anew each time, as are the packs. */
function useFilePaths(): readonly string[] {
  const { engine, openFiles, packs } = useStores();
  const [paths, setPaths] = useState<readonly string[]>([]);
  useEffect(() => {
    let isHere = true;
    void packs.getState().load();
    engine.call('findFiles').then(
      (found) => isHere && setPaths(found.paths),
      // What is open can be found all the same.
      () => isHere && setPaths(openFiles.getState().tabs),
    );
    return () => {
      isHere = false;
    };
  }, [engine, openFiles, packs]);
  return paths;
}

function carryOut(context: CommandContext, { id }: FoundItem): void {
  const space = id.indexOf(' ');
  const [kind, target] = [id.slice(0, space), id.slice(space + 1)];
  const { stores } = context;
  const flow = activeFile(context);
  if (kind === 'file') void openPath(stores, target);
  if (kind === 'agent') void stores.agents.open(target);
  if (kind === 'node' && flow !== undefined) stores.selection.getState().selectNode(flow.path, target);
  const command = kind === 'command' ? findCommand(target) : undefined;
  // The dialog is closed by then, and the command finds the focus where it was.
  if (command !== undefined) requestAnimationFrame(() => runCommand(command, context));
}

function GoList({ initial, onDone }: { initial: string; onDone: () => void }) {
  const context = useCommandContext();
  const [query, setQuery] = useState(initial);
  const paths = useFilePaths();
  const isCommand = query.startsWith('>');
  const tabs = useStore(context.stores.openFiles, (state) => state.tabs);
  const items = useMemo(() => {
    if (isCommand) return commandItems(context);
    const open = new Set(tabs);
    const files = [...new Set([...tabs, ...paths])].map((path) => fileItem(path, open.has(path)));
    return [...files, ...nodeItems(context), ...packAgentItems(context.stores), ...commandItems(context)];
  }, [isCommand, context, paths, tabs]);
  const found = useMemo(() => findItems(items, query.replace(/^>/, '')), [items, query]);
  return (
    <Palette shouldFilter={false} label="Go to" loop>
      <Palette.Input
        className="popup-search"
        placeholder="Name of a file, node, agent or command; > for commands alone"
        value={query}
        onValueChange={setQuery}
      />
      <Palette.List className="go-list">
        <Palette.Empty className="go-empty">
          {isCommand ? 'No command of this name can be used now.' : 'Nothing has this name.'}
        </Palette.Empty>
        {found.map((item) => (
          <Palette.Item
            key={item.id}
            value={item.id}
            className="go-item"
            onSelect={() => {
              onDone();
              carryOut(context, item);
            }}
          >
            {icons[item.kind]}
            <span className="go-title">{item.title}</span>
            <span className="go-detail">{item.detail}</span>
            {item.keys === undefined ? null : <Kbd keys={item.keys} />}
          </Palette.Item>
        ))}
      </Palette.List>
    </Palette>
  );
}

export function QuickOpen() {
  const { dialogs } = useCommandContext();
  const open = useStore(dialogs, (state) => state.open);
  const origin = useRef<Element | null>(null);
  const isOpen = open === 'go' || open === 'commands';
  return (
    <Dialog.Root open={isOpen} onOpenChange={(next) => next || dialogs.getState().close()}>
      <Dialog.Portal>
        <Dialog.Overlay className="go-scrim" />
        <Dialog.Content
          className="go-dialog"
          aria-describedby={undefined}
          onOpenAutoFocus={(event) => {
            origin.current = document.activeElement;
            // Left to itself it selects the text, and the first letter would take the sign for commands away.
            event.preventDefault();
            const input = event.currentTarget instanceof Element ? event.currentTarget.querySelector('input') : null;
            input?.focus();
            input?.setSelectionRange(input.value.length, input.value.length);
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            if (origin.current instanceof HTMLElement) origin.current.focus();
          }}
        >
          <Dialog.Title className="go-name">Go to a file, node, agent or command</Dialog.Title>
          <GoList initial={open === 'commands' ? '>' : ''} onDone={() => dialogs.getState().close()} />
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
