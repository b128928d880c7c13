/**
 * Types of commands.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { Stores } from '../../stores/stores.ts';
import type { Dialogs } from './dialogs.ts';

export interface CommandContext {
  readonly stores: Stores;
  readonly dialogs: StoreApi<Dialogs>;
}

export interface Command {
  /** Stable id, which the application menu sends. */
  readonly id: string;
  readonly title: string;
  /** Additional search terms for the command palette. */
  readonly words?: string;
  /** Heading in the list of shortcuts. */
  readonly group: string;
  /** Shortcut in the format of `shortcut.ts`. */
  readonly shortcut?: string;
  /** Additional shortcuts, known from other programs. */
  readonly aliases?: readonly string[];
  /**
   * `canvas`: its keys work only while the focus is on the canvas, the outline or nowhere, like those of single letters
   * and digits. `outside-texts`: only while the focus is not in text. Absent: everywhere.
   */
  readonly where?: 'canvas' | 'outside-texts';
  /** Whether the command repeats while its keys are held down. */
  readonly repeats?: true;
  /** Its keys are captured even while it is unavailable, because the browser would undo in the field used last. */
  readonly holdsKeys?: true;
  /** Whether it applies to a list of steps. If false, menus of one omit it; defaults to true. */
  readonly isForSteps?: boolean;
  /** Runs in a focused field with its own text, even while the command is unavailable. Returns whether it did. */
  runInField?(): boolean;
  /** Whether it applies now; always if absent. */
  isAvailable?(context: CommandContext): boolean;
  /**
   * Why it cannot run now although it applies: shown on its disabled buttons and reported for its keys. Null if it can.
   */
  obstacle?(context: CommandContext): string | null;
  run(context: CommandContext): void;
}
