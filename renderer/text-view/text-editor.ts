/**
 * Monaco as this program uses it: one text of a file, which is written here and changed from outside. Knows no stores and no
 * React.
 */
import type { editor, IPosition, Selection } from 'monaco-editor/editor';
import { mapOffset, type TextEdit } from '../../engine/isomorphic.ts';
import { displayOptions, editingOptions } from './editor-options.ts';
import { giveHistory } from './editor-undo.ts';
import { FileModel } from './file-model.ts';
import { monaco } from './monaco.ts';
import { createHighlight, markBindings, markProblems } from './text-marks.ts';
import type { Lines, ProblemMarker } from './text-places.ts';
import { followTheme } from './text-theme.ts';
import { createTypingRuns } from './typing-runs.ts';

/** A place of the file's text; both count from 1, columns in UTF-16 units. */
interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export interface TextEditor {
  /** For languages, which attach their help to it. Its model's line ends are all `\n`. */
  readonly view: editor.IStandaloneCodeEditor;
  /** The model, with the way from its positions to offsets in the file's text and back. */
  readonly file: FileModel;
  /** Replaces the text by another one and keeps the place that is shown. */
  setText(text: string): void;
  /**
   * Makes edits of the file's text that come from outside. Cursors, marks and what is in view stay; the cursor goes only to what
   * undo and redo, asked for in this editor, have changed.
   */
  applyEdits(edits: readonly TextEdit[]): void;
  /** Why the text cannot be written; null = it can. */
  setReadOnly(reason: string | null): void;
  setProblems(markers: readonly ProblemMarker[]): void;
  /** Highlights lines, both included, and shows them if they are out of view; null takes the highlight away. */
  highlight(lines: Lines | null): void;
  /** Puts the cursor to a place, selects so many characters from there, shows it and takes the focus. */
  reveal(place: TextPlace & { readonly length?: number }): void;
  dispose(): void;
}

interface TextEditorOptions {
  readonly label: string;
  /** Identifier of a language that Monaco knows. */
  readonly language: string;
  /** Name of the text, unique among the editors of a page; shown nowhere. */
  readonly uri: string;
  /**
   * What the person wrote, as edits of the text before.
   * @param mergeKey edits right after each other with the same key are taken back together
   */
  readonly onEdits: (edits: readonly TextEdit[], mergeKey: string | undefined) => void;
  /** The person is about to have typed into a line of the file; before `onEdits`. */
  readonly onTyping: (line: number) => void;
  /** The person put the cursor to another place: by typing, moving it or jumping there. */
  readonly onCursor: (place: TextPlace) => void;
  /** Text was marked, or is not any more (null). */
  readonly onMarked: (lines: Lines | null) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** Makes an editor that fills `host`. */
export function createTextEditor(host: HTMLElement, options: TextEditorOptions): TextEditor {
  const runs = createTypingRuns();
  const file = new FileModel(options.language, options.uri, (edits) => {
    options.onTyping(lineOfTyping(file, edits));
    options.onEdits(edits, runs.keyOf(edits));
  });
  const { model } = file;
  const view = monaco.editor.create(host, { ...displayOptions, ...editingOptions, model, ariaLabel: options.label });
  const endBindings = markBindings(view, file);
  const endTheme = followTheme(monaco);
  const history = giveHistory(view, options);
  view.onDidChangeCursorPosition(({ position, reason }) => {
    const { CursorChangeReason } = monaco.editor;
    if (reason === CursorChangeReason.Explicit) runs.end();
    const isCarried = reason === CursorChangeReason.RecoverFromMarkers || reason === CursorChangeReason.ContentFlush;
    if (isCarried || !view.hasTextFocus()) return;
    const { lineNumber, column } = file.filePlace(position);
    options.onCursor({ line: lineNumber, column });
  });
  view.onDidChangeCursorSelection(({ selection }) => options.onMarked(markedLines(file, selection)));
  followMenu(view);
  // Monaco measures letters once; ours may come after that.
  void document.fonts.ready.then(() => monaco.editor.remeasureFonts());
  return {
    view,
    file,
    setText(text) {
      if (file.text === text) return;
      const place = view.saveViewState();
      file.setText(text);
      view.updateOptions({ folding: !file.isLong });
      view.restoreViewState(place);
      runs.end();
    },
    applyEdits(edits) {
      runs.end();
      keepView(view, () => file.applyEdits(edits));
      if (history.isAtWork()) goToChange(view, file, edits);
    },
    setReadOnly(reason) {
      const message = reason === null ? undefined : { value: reason };
      view.updateOptions({
        readOnly: reason !== null,
        domReadOnly: reason !== null,
        readOnlyMessage: message as never,
      });
    },
    setProblems: (markers) => markProblems(file, markers),
    highlight: createHighlight(view, file),
    reveal: (place) => revealPlace(view, file, place),
    dispose() {
      endTheme();
      history.end();
      endBindings();
      view.dispose();
      model.dispose();
    },
  };
}

function revealPlace(
  view: editor.ICodeEditor,
  file: FileModel,
  { line, column, length = 0 }: Parameters<TextEditor['reveal']>[0],
): void {
  const { lineNumber, column: startColumn } = file.shownPlace({ lineNumber: line, column });
  const endColumn = startColumn + length;
  view.setSelection({ startLineNumber: lineNumber, startColumn, endLineNumber: lineNumber, endColumn });
  view.revealPositionInCenter(view.getPosition() ?? { lineNumber, column: startColumn });
  view.focus();
}

/** The line in which the last of the edits ends, which are in the text already. */
function lineOfTyping(file: FileModel, edits: readonly TextEdit[]): number {
  const end = mapOffset(edits.at(-1)?.end ?? 0, edits, 'after');
  return file.filePlace(file.positionOf(end)).lineNumber;
}

/** The lines of a selection; one that ends at the start of a line does not touch that line. */
function markedLines(file: FileModel, selection: Selection): Lines | null {
  if (selection.isEmpty()) return null;
  const { lineNumber: first } = file.filePlace(selection.getStartPosition());
  const { lineNumber: last } = file.filePlace(selection.getEndPosition());
  return { first, last: selection.endColumn === 1 && last > first ? last - 1 : last };
}

/** A menu is about the place where it was asked for, unless that is marked. */
function followMenu(view: editor.ICodeEditor): void {
  view.onContextMenu(({ target: { position } }) => {
    if (position === null) return;
    const isMarked = view.getSelections()?.some((selection) => selection.containsPosition(position)) ?? false;
    // With the focus first, so that the cursor is followed to its new place.
    view.focus();
    if (!isMarked) view.setPosition(position);
  });
}

/** Keeps the line at the top where it is, also when lines come or go above it. */
function keepView(view: editor.ICodeEditor, change: () => readonly TextEdit[]): void {
  const model = view.getModel();
  const top = view.getVisibleRanges()[0]?.startLineNumber;
  if (model === null || top === undefined) {
    change();
    return;
  }
  const into = view.getScrollTop() - view.getTopForLineNumber(top);
  const offset = model.getOffsetAt({ lineNumber: top, column: 1 });
  const moved = mapOffset(offset, change(), 'before');
  view.setScrollTop(view.getTopForLineNumber(model.getPositionAt(moved).lineNumber) + into);
}

function goToChange(view: editor.ICodeEditor, file: FileModel, edits: readonly TextEdit[]): void {
  const last = edits.at(-1);
  if (last === undefined) return;
  const end = mapOffset(last.end, edits, 'after');
  const position: IPosition = file.positionOf(end);
  view.setPosition(position);
  view.revealPositionInCenterIfOutsideViewport(position);
}
