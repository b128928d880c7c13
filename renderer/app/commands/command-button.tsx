import type { ReactNode } from 'react';
import { Button, type ButtonProps, IconButton } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { useCommand } from './command-context.tsx';
import type { CommandId } from './commands.ts';

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
