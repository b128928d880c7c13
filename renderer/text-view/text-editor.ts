/**
 * Wraps Monaco for this program: the text of one file, which is edited here and changed from outside. Independent of
 * stores and React.
 */
import type { editor, IPosition, Selection } from 'monaco-editor/editor';
import { mapOffset, type TextEdit } from '../../engine/isomorphic.ts';
import { displayOptions, editingOptions } from './editor-options.ts';
import { attachUndoHistory } from './editor-undo.ts';
import { FileModel } from './file-model.ts';
import { monaco } from './monaco.ts';
import {
  createBreakpointMarks,
  createHighlight,
  type LineBreakpoint,
  markBindings,
  markProblems,
} from './text-marks.ts';
import type { Lines, ProblemMarker } from './text-places.ts';
import { followTheme } from './text-theme.ts';
import { createTypingRuns } from './typing-runs.ts';

/** A position in the file's text. Both numbers are from 1, columns in UTF-16 units. */
interface EditorTextPosition {
  readonly line: number;
  readonly column: number;
}

export interface TextEditor {
  /** For languages, which attach their features to it. All line endings in its model are `\n`. */
  readonly view: editor.IStandaloneCodeEditor;
  /** The model, which converts between its positions and offsets in the file's text. */
  readonly file: FileModel;
  /** Replaces the text and keeps the scroll position. */
  setText(text: string): void;
  /**
   * Applies edits of the file's text from outside. Cursors, markers and the scroll position are kept; the cursor moves
   * only to changes made by undo and redo in this editor.
   */
  applyEdits(edits: readonly TextEdit[]): void;
  /** Sets why the text cannot be edited. Null makes it editable. */
  setReadOnly(reason: string | null): void;
  setProblems(markers: readonly ProblemMarker[]): void;
  setBreakpoints(marks: readonly LineBreakpoint[]): void;
  /** Highlights lines, both inclusive, and scrolls to them if they are out of view. Null removes the highlight. */
  highlight(lines: Lines | null): void;
  /** Moves the cursor to a position, optionally selects characters from there, scrolls to it and takes the focus. */
  reveal(place: EditorTextPosition & { readonly length?: number }): void;
  dispose(): void;
}

interface TextEditorOptions {
  readonly label: string;
  /** ID of a language known to Monaco. */
  readonly language: string;
  /** Name of the text, unique among the editors of a page. Not displayed. */
  readonly uri: string;
  /**
   * Called with the user's changes, as edits of the previous text.
   * @param mergeKey consecutive edits with the same key are undone together
   */
  readonly onEdits: (edits: readonly TextEdit[], mergeKey: string | undefined) => void;
  /** Called before `onEdits` when the user types into a line of the file. */
  readonly onTyping: (line: number) => void;
  /** Called when the user moves the cursor, by typing, moving it or jumping. */
  readonly onCursor: (place: EditorTextPosition) => void;
  /** Called when text is selected, or with null when the selection is cleared. */
  readonly onMarked: (lines: Lines | null) => void;
  /** Whether there is a margin for breakpoints. */
  readonly hasBreakpoints: boolean;
  /** Whether breakpoints can be set at a line. */
  readonly mayBreak: (line: number) => boolean;
  /** Called when the user clicks the margin beside such a line. */
  readonly onMargin: (line: number) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
}

/** Creates an editor that fills `host`. */
export function createTextEditor(host: HTMLElement, options: TextEditorOptions): TextEditor {
  const runs = createTypingRuns();
  const file = new FileModel(options.language, options.uri, (edits) => {
    options.onTyping(lineOfTyping(file, edits));
    options.onEdits(edits, runs.keyOf(edits));
  });
  const { model } = file;
  const look = { ...displayOptions, ...editingOptions, glyphMargin: options.hasBreakpoints };
  const view = monaco.editor.create(host, { ...look, model, ariaLabel: options.label });
  const endBindings = markBindings(view, file);
  const endTheme = followTheme(monaco);
  const history = attachUndoHistory(view, options);
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
  // Monaco measures characters only once, and our fonts may load later.
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
    setBreakpoints: createBreakpointMarks(view, file, options),
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

/** Returns the line in which the last of the edits ends. The text already contains the edits. */
function lineOfTyping(file: FileModel, edits: readonly TextEdit[]): number {
  const end = mapOffset(edits.at(-1)?.end ?? 0, edits, 'after');
  return file.filePlace(file.positionOf(end)).lineNumber;
}

/** Returns the lines of a selection. If it ends at the start of a line, that line is excluded. */
function markedLines(file: FileModel, selection: Selection): Lines | null {
  if (selection.isEmpty()) return null;
  const { lineNumber: first } = file.filePlace(selection.getStartPosition());
  const { lineNumber: last } = file.filePlace(selection.getEndPosition());
  return { first, last: selection.endColumn === 1 && last > first ? last - 1 : last };
}

/** Moves the cursor to the position where a context menu is opened, unless the position is within the selection. */
function followMenu(view: editor.ICodeEditor): void {
  view.onContextMenu(({ target: { position } }) => {
    if (position === null) return;
    const isMarked = view.getSelections()?.some((selection) => selection.containsPosition(position)) ?? false;
    // Focuses first, so that the view follows the cursor to its new position.
    view.focus();
    if (!isMarked) view.setPosition(position);
  });
}

/** Keeps the line at the top in place, even if lines above it are added or removed. */
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
