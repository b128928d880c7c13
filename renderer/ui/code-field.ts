/**
 * The place of an editor for code in forms. Who puts the window together hands it in, so that forms need not know it.
 */
import { type ComponentType, createContext } from 'react';

/** What is to be seen at a line of the code. */
export interface CodeMark {
  /** From 1. */
  readonly line: number;
  readonly message: string;
}

/** A name that may follow. */
export interface CodeName {
  readonly name: string;
  /** Beside it, for example its type. */
  readonly detail: string;
  readonly description: string;
}

export interface CodeFieldProps {
  readonly language: 'javascript' | 'lua';
  readonly text: string;
  /** For screen readers. */
  readonly label: string;
  readonly isReadOnly: boolean;
  /** It fills its place; else it is as high as its lines, within limits. */
  readonly isLarge?: boolean;
  readonly marks: readonly CodeMark[];
  /** What is below `input`, by the names that lead there. */
  readonly inputNames: (path: readonly string[]) => readonly CodeName[];
  readonly onType: (text: string) => void;
  readonly onLeave: () => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** Null = there is none: code is written as any text. */
export const CodeFieldContext = createContext<ComponentType<CodeFieldProps> | null>(null);
