/**
 * Commands for components and for the keyboard.
 */
import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { Command, CommandContext } from './command.ts';
import { type CommandId, commands, findCommand, runCommand } from './commands.ts';
import { type CustomKeys, keysOf } from './keymap.ts';
import { isPlainKey, matchesShortcut, printShortcut } from './shortcut.ts';

const Context = createContext<CommandContext | null>(null);

export const isMac = navigator.platform.startsWith('Mac');

export function CommandProvider({ context, children }: { context: CommandContext; children: ReactNode }) {
  useShortcuts(context);
  useEffect(
    () =>
      context.stores.main.onPush({
        'command.invoke': ({ id }) => {
          const command = findCommand(id);
          if (command !== undefined) runCommand(command, context);
        },
      }),
    [context],
  );
  return <Context value={context}>{children}</Context>;
}

/** @throws Error outside of a `CommandProvider` */
export function useCommandContext(): CommandContext {
  const context = use(Context);
  if (context === null) throw new Error('useCommandContext needs a CommandProvider above it');
  return context;
}

export interface UsableCommand {
  readonly title: string;
  /** As printed; undefined when it has none. */
  readonly keys: string | undefined;
  readonly isAvailable: boolean;
  readonly run: () => void;
}

/** A command, ready for a button. */
export function useCommand(id: CommandId): UsableCommand {
  const context = useCommandContext();
  const command = findCommand(id);
  const custom = useStore(context.stores.editorSettings, ({ keys }) => keys);
  const shortcut = command === undefined ? undefined : keysOf(command, custom)[0];
  const isAvailable = useSyncExternalStore(
    (onChange) => {
      const { openFlows, liveRuns, selection, workspace } = context.stores;
      const ends = [openFlows, liveRuns, selection, workspace].map((store) => store.subscribe(onChange));
      return () => {
        for (const end of ends) end();
      };
    },
    () => command?.isAvailable?.(context) ?? true,
  );
  return {
    title: command?.title ?? id,
    keys: shortcut === undefined ? undefined : printShortcut(shortcut, isMac),
    isAvailable,
    run: () => {
      if (command !== undefined) runCommand(command, context);
    },
  };
}

const textPlaces = 'input, textarea, select, [contenteditable="true"], .monaco-editor';
/** While one of these has the focus, keys belong to it. */
const ownKeyboard = '[role="dialog"], [role="menu"]';

function isMeant(command: Command, event: KeyboardEvent, custom: CustomKeys): boolean {
  const keys = keysOf(command, custom).find((shortcut) => matchesShortcut(event, shortcut, isMac));
  if (keys === undefined) return false;
  const { target } = event;
  if (!(target instanceof Element)) return true;
  if (target.closest(ownKeyboard) !== null) return false;
  return !isPlainKey(keys) || target.closest(textPlaces) === null;
}

/** Before anything else hears the key: Monaco would take Ctrl+Enter for itself. */
function useShortcuts(context: CommandContext): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.isComposing || event.repeat) return;
      const { keys } = context.stores.editorSettings.getState();
      const command = commands.find((candidate) => isMeant(candidate, event, keys));
      if (command === undefined || !runCommand(command, context)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [context]);
}
