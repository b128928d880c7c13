/**
 * The context for a code editor in forms. The shell of the window provides it, so that forms do not depend on the
 * editor.
 */
import { type ComponentType, createContext } from 'react';

/** A marker at a line of the code. */
export interface CodeMark {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** A completion. */
export interface CodeName {
  readonly name: string;
  /** Shown beside it, for example its type. */
  readonly detail: string;
  readonly description: string;
}

export interface CodeFieldProps {
  readonly language: 'javascript' | 'lua';
  readonly text: string;
  /** For screen readers. */
  readonly label: string;
  readonly isReadOnly: boolean;
  /** Whether it fills its container. If not, its height follows its lines, within limits. */
  readonly isLarge?: boolean;
  readonly marks: readonly CodeMark[];
  /** Returns the names below a path of `input`. */
  readonly inputNames: (path: readonly string[]) => readonly CodeName[];
  readonly onType: (text: string) => void;
  readonly onLeave: () => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** Null if there is none: code is then edited in a plain text field. */
export const CodeFieldContext = createContext<ComponentType<CodeFieldProps> | null>(null);
