/**
 * Undo and redo in the text are those of the file, which also has edits from the canvas. Monaco's own history is never
 * used.
 */
import type { editor } from 'monaco-editor/editor';
import { monaco } from './monaco.ts';

interface EditorUndoHandlers {
  onUndo(): void;
  onRedo(): void;
}

const histories = new Map<editor.ICodeEditor, EditorUndoHandlers>();

/**
 * All requests for undo (shortcuts, menus) run Monaco's command of that name. The last command registered under a name
 * is used.
 */
function takeCommand(name: 'undo' | 'redo', method: keyof EditorUndoHandlers): void {
  monaco.editor.registerCommand(name, () => {
    for (const [view, history] of histories) {
      if (view.hasTextFocus()) {
        history[method]();
        return;
      }
    }
    // The fields of Monaco's own widgets, such as find.
    document.execCommand(name);
  });
}

takeCommand('undo', 'onUndo');
takeCommand('redo', 'onRedo');

interface GivenHistory {
  /** Whether an undo or redo started in this editor is in progress. */
  isAtWork(): boolean;
  /** Removes the history. */
  end(): void;
}

/** Sets the history of an editor. */
export function attachUndoHistory(view: editor.ICodeEditor, { onUndo, onRedo }: EditorUndoHandlers): GivenHistory {
  let isAtWork = false;
  const during = (step: () => void) => () => {
    isAtWork = true;
    try {
      step();
    } finally {
      isAtWork = false;
    }
  };
  histories.set(view, { onUndo: during(onUndo), onRedo: during(onRedo) });
  return { isAtWork: () => isAtWork, end: () => histories.delete(view) };
}
