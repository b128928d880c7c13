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

interface GivenHistory {
  /** Whether an undo or redo that was asked for in this editor goes on. */
  isAtWork(): boolean;
  /** Takes it away again. */
  end(): void;
}

/** Gives an editor its history. */
export function giveHistory(view: editor.ICodeEditor, { onUndo, onRedo }: History): GivenHistory {
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
