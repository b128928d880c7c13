/**
 * Commands for components: their context, and buttons that run them.
 */
import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from 'react';
import { useStore } from 'zustand';
import { isStepFlow } from '../../stores/flow/step-lane.ts';
import { Button, type ButtonProps, IconButton } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { activeFile } from './active-file.ts';
import type { CommandContext } from './command.ts';
import { type CommandId, findCommand, isUsable, obstacleOf, runCommand } from './commands.ts';
import { isMac, keysOf, useShortcuts } from './keymap.ts';
import { printShortcut } from './shortcut.ts';

const Context = createContext<CommandContext | null>(null);

/** Provides commands to components, and runs those triggered by the keyboard and the application menu. */
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

/** @throws Error outside a `CommandProvider` */
export function useCommandContext(): CommandContext {
  const context = use(Context);
  if (context === null) throw new Error('useCommandContext needs a CommandProvider above it');
  return context;
}

interface UsableCommand {
  readonly title: string;
  /** Shortcut for display; undefined if it has none. */
  readonly keys: string | undefined;
  readonly isAvailable: boolean;
  /** Why it cannot run now; null if it can or does not apply here. */
  readonly obstacle: string | null;
  /** Whether menus of the active file show it. */
  readonly isOffered: boolean;
  readonly run: () => void;
}

/** Returns a command with its state, for a button. */
export function useCommand(id: CommandId): UsableCommand {
  const context = useCommandContext();
  const command = findCommand(id);
  const custom = useStore(context.stores.editorSettings, ({ keys }) => keys);
  const shortcut = command === undefined ? undefined : keysOf(command, custom)[0];
  const watch = (onChange: () => void): (() => void) => {
    const { cases, openFiles, liveRuns, recentSwitches, selection, workspace, canvases } = context.stores;
    const watched = [cases, openFiles, liveRuns, recentSwitches, selection, workspace, canvases];
    const ends = watched.map((store) => store.subscribe(onChange));
    return () => {
      for (const end of ends) end();
    };
  };
  const isAvailable = useSyncExternalStore(watch, () => command === undefined || isUsable(command, context));
  const obstacle = useSyncExternalStore(watch, () => (command === undefined ? null : obstacleOf(command, context)));
  return {
    title: command?.title ?? id,
    keys: shortcut === undefined ? undefined : printShortcut(shortcut, isMac),
    isAvailable,
    obstacle,
    isOffered: command?.isForSteps !== false || !isStepFlow(activeFile(context)?.doc),
    run: () => {
      if (command !== undefined) runCommand(command, context);
    },
  };
}

interface CommandButtonProps {
  readonly command: CommandId;
  /** Shorter label than the command's title, if the context explains the rest. */
  readonly text?: string;
  readonly icon: ReactNode;
  readonly variant?: NonNullable<ButtonProps['variant']>;
  /** Disables a button if its command would do something other than the label says. */
  readonly isDisabled?: boolean;
}

/** Commands with buttons that do something else with Shift. */
const withShift: { readonly [Id in CommandId]?: CommandId } = { 'run.toggle': 'run.startWithInputs' };

/** A button that runs a command and shows its shortcut. */
export function CommandButton({ command, text, icon, variant = 'normal', isDisabled = false }: CommandButtonProps) {
  const { title, keys, isAvailable, obstacle, run } = useCommand(command);
  const other = useCommand(withShift[command] ?? command);
  return (
    <Button
      size="small"
      variant={variant}
      disabled={isDisabled || !isAvailable}
      title={obstacle ?? title}
      onClick={({ shiftKey }) => (shiftKey && other.isAvailable ? other.run() : run())}
    >
      {icon}
      {text ?? title}
      {keys === undefined ? null : <Kbd keys={keys} />}
    </Button>
  );
}

interface CommandIconButtonProps {
  readonly command: CommandId;
  readonly icon: ReactNode;
  /** Set for a button that toggles the visibility of something. */
  readonly isPressed?: boolean;
}

/** A button with only an icon that runs a command. */
export function CommandIconButton({ command, icon, isPressed }: CommandIconButtonProps) {
  const { title, keys, isAvailable, run } = useCommand(command);
  return (
    <IconButton label={title} hint={keys} disabled={!isAvailable} aria-pressed={isPressed} onClick={run}>
      {icon}
    </IconButton>
  );
}
