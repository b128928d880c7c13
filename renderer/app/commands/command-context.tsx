/**
 * Commands for components and for the keyboard.
 */
import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import type { Command, CommandContext } from './command.ts';
import { type CommandId, commands, findCommand, runCommand } from './commands.ts';
import { type CustomKeys, keysOf, isTextKey } from './keymap.ts';
import { isPlainKey, matchesShortcut, printShortcut } from './shortcut.ts';
import { Button, type ButtonProps, IconButton } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';

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
      const { openFiles, liveRuns, selection, workspace, canvases } = context.stores;
      const ends = [openFiles, liveRuns, selection, workspace, canvases].map((store) => store.subscribe(onChange));
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
  if (isTextKey(keys) && target.closest('.monaco-editor') !== null) return false;
  if (command.where === 'canvas' && !isOnCanvas(target, event)) return false;
  return !isPlainKey(keys) || target.closest(textPlaces) === null;
}

/** Places whose focus is as good as that of the canvas. */
const canvasPlaces = '[data-keys="canvas"]';

/** Whether something on the way needs the key for itself: a tree, its arrow keys. */
function isOwnKey(target: Element, { key, shiftKey, altKey, ctrlKey, metaKey }: KeyboardEvent): boolean {
  if (shiftKey || altKey || ctrlKey || metaKey) return false;
  return target.closest('[data-own-keys]')?.getAttribute('data-own-keys')?.split(' ').includes(key) === true;
}

/** Whether the keys of the canvas count; Enter and Space on a button are for the button. */
function isOnCanvas(target: Element, event: KeyboardEvent): boolean {
  const { key } = event;
  if (target === document.body || target === document.documentElement) return true;
  if (target.closest(textPlaces) !== null || target.closest(canvasPlaces) === null) return false;
  if (isOwnKey(target, event)) return false;
  return !(target instanceof HTMLButtonElement && (key === 'Enter' || key === ' '));
}

/** Before anything else hears the key: Monaco would take Ctrl+Enter for itself. */
function useShortcuts(context: CommandContext): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.isComposing) return;
      const { keys } = context.stores.editorSettings.getState();
      const command: Command | undefined = commands.find((candidate) => isMeant(candidate, event, keys));
      if (command === undefined || (event.repeat && command.repeats !== true)) return;
      if (!runCommand(command, context) && command.holdsKeys !== true) return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [context]);
}

interface CommandButtonProps {
  readonly command: CommandId;
  /** Shorter than the command's title, where the place explains the rest. */
  readonly text?: string;
  readonly icon: ReactNode;
  readonly variant?: NonNullable<ButtonProps['variant']>;
  /** For a button whose command could do something else than it says. */
  readonly isDisabled?: boolean;
}

/** A button that runs a command and prints its shortcut. */
export function CommandButton({ command, text, icon, variant = 'normal', isDisabled = false }: CommandButtonProps) {
  const { title, keys, isAvailable, run } = useCommand(command);
  return (
    <Button size="small" variant={variant} disabled={isDisabled || !isAvailable} title={title} onClick={run}>
      {icon}
      {text ?? title}
      {keys === undefined ? null : <Kbd keys={keys} />}
    </Button>
  );
}

interface CommandIconButtonProps {
  readonly command: CommandId;
  readonly icon: ReactNode;
  /** Set for a button that shows and hides something. */
  readonly isPressed?: boolean;
}

/** The same, with an icon only. */
export function CommandIconButton({ command, icon, isPressed }: CommandIconButtonProps) {
  const { title, keys, isAvailable, run } = useCommand(command);
  return (
    <IconButton label={title} hint={keys} disabled={!isAvailable} aria-pressed={isPressed} onClick={run}>
      {icon}
    </IconButton>
  );
}
