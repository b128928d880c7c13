/**
 * Undo and redo of the text are those of the file, whose edits come from the canvas too. Monaco's own history is never used.
 */
import type { editor } from 'monaco-editor/editor';
import { monaco } from './monaco.ts';

interface History {
  onUndo(): void;
  onRedo(): void;
}

const histories = new Map<editor.ICodeEditor, History>();

/** Whatever asks for undo (keys, menus) arrives at Monaco's command of that name; of equal names the last one counts. */
function takeCommand(name: 'undo' | 'redo', method: keyof History): void {
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

/** Gives an editor its history. Returns the end of that. */
export function giveHistory(view: editor.ICodeEditor, history: History): () => void {
  histories.set(view, history);
  return () => histories.delete(view);
}
