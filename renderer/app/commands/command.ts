/**
 * What a command is.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { Stores } from '../../stores/stores.ts';
import type { Dialogs } from './dialogs.ts';

export interface CommandContext {
  readonly stores: Stores;
  readonly dialogs: StoreApi<Dialogs>;
}

export interface Command {
  /** Stable: the application menu sends it. */
  readonly id: string;
  readonly title: string;
  /** Further words that it is found by in the list of all commands. */
  readonly words?: string;
  /** Heading in the list of shortcuts. */
  readonly group: 'Run' | 'Edit' | 'Canvas' | 'View' | 'Files' | 'Help';
  /** As `shortcut.ts` reads it. */
  readonly shortcut?: string;
  /** Further shortcuts, known from other programs. */
  readonly aliases?: readonly string[];
  /** `canvas`: its keys count only while the focus is on the canvas, the outline or nowhere, as those of single letters and digits always do; `outside-texts`: while it is in no text; absent = everywhere. */
  readonly where?: 'canvas' | 'outside-texts';
  /** Whether it is done again while its keys are held down. */
  readonly repeats?: true;
  /** Its keys mean nothing else either while it is not available: the browser would undo in the field typed into last. */
  readonly holdsKeys?: true;
  /** Whether it makes sense for a list of steps; false = menus about one leave it out. Absent = it does. */
  readonly isForSteps?: boolean;
  /** Does it in the field that has the keyboard, where that keeps its own text, even while the command is not available. Returns whether it did. */
  runInField?(): boolean;
  /** Whether it makes sense now; absent = always. */
  isAvailable?(context: CommandContext): boolean;
  /** Why it cannot be done now although it makes sense: its buttons are disabled with this, its keys report it. Null = it can. */
  obstacle?(context: CommandContext): string | null;
  run(context: CommandContext): void;
}
