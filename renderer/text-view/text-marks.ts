/**
 * Decorations of a text: problems, the lines of the selection, and bindings.
 */
import type { editor } from 'monaco-editor/editor';
import type { FileModel } from './file-model.ts';
import { monaco } from './monaco.ts';
import { text } from './text.ts';
import type { Lines, ProblemMarker } from './text-places.ts';

const markerOwner = 'millrace';
const bindingPattern = '\\{\\{[^{}\\n]*\\}\\}';

const selectedLines: editor.IModelDecorationOptions = {
  isWholeLine: true,
  className: 'text-view-selected',
  linesDecorationsClassName: 'text-view-selected-edge',
};

function shownLine(file: FileModel, line: number): number {
  return file.shownPlace({ lineNumber: line, column: 1 }).lineNumber;
}

function shownMarker(file: FileModel, marker: ProblemMarker): ProblemMarker {
  const start = file.shownPlace({ lineNumber: marker.startLineNumber, column: marker.startColumn });
  const end = file.shownPlace({ lineNumber: marker.endLineNumber, column: marker.endColumn });
  return {
    ...marker,
    startLineNumber: start.lineNumber,
    startColumn: start.column,
    endLineNumber: end.lineNumber,
    endColumn: end.column,
  };
}

/** Sets the problem markers of a text. */
export function markProblems(file: FileModel, markers: readonly ProblemMarker[]): void {
  const shown = markers.map((marker) => shownMarker(file, marker));
  monaco.editor.setModelMarkers(file.model, markerOwner, shown);
}

/** Creates the function that highlights lines. It scrolls to them, unless the user is typing. */
export function createHighlight(view: editor.ICodeEditor, file: FileModel): (lines: Lines | null) => void {
  const selected = view.createDecorationsCollection();
  return (lines) => {
    if (lines === null) {
      selected.clear();
      return;
    }
    const range = new monaco.Range(shownLine(file, lines.first), 1, shownLine(file, lines.last), 1);
    selected.set([{ range, options: selectedLines }]);
    if (!view.hasTextFocus()) view.revealRangeInCenterIfOutsideViewport(range);
  };
}

/** Colors the bindings in the visible part, which is all that Monaco requests. Returns a function that stops it. */
export function markBindings(view: editor.ICodeEditor, file: FileModel): () => void {
  const bindings = view.createDecorationsCollection();
  let frame = 0;
  const mark = (): void => {
    const ranges = file.isLong ? [] : view.getVisibleRanges();
    bindings.set(ranges.flatMap((range) => bindingsIn(file.model, range)));
  };
  const later = (): void => {
    cancelAnimationFrame(frame);
    frame = requestAnimationFrame(mark);
  };
  view.onDidChangeModelContent(later);
  view.onDidScrollChange(later);
  view.onDidLayoutChange(later);
  return () => cancelAnimationFrame(frame);
}

function bindingsIn(
  model: editor.ITextModel,
  { startLineNumber, endLineNumber }: { startLineNumber: number; endLineNumber: number },
) {
  const range = new monaco.Range(startLineNumber, 1, endLineNumber, model.getLineMaxColumn(endLineNumber));
  const matches = model.findMatches(bindingPattern, range, true, true, null, false);
  return matches.map((match) => ({ range: match.range, options: { inlineClassName: 'text-view-binding' } }));
}

/** A breakpoint beside a line. */
export interface LineBreakpoint {
  readonly line: number;
  readonly isOff: boolean;
  readonly hasCondition: boolean;
  /** Shown in a tooltip. */
  readonly words: string;
}

interface BreakpointMargin {
  readonly mayBreak: (line: number) => boolean;
  readonly onMargin: (line: number) => void;
}

/**
 * Creates the function that shows breakpoints in the margin. A click there adds or removes one; a faint dot under the
 * pointer shows where.
 */
export function createBreakpointMarks(
  view: editor.ICodeEditor,
  file: FileModel,
  { mayBreak, onMargin }: BreakpointMargin,
): (marks: readonly LineBreakpoint[]) => void {
  const marked = view.createDecorationsCollection();
  const offered = view.createDecorationsCollection();
  /** Lines with a breakpoint. */
  let taken: ReadonlySet<number> = new Set();
  const glyph = (lineNumber: number, className: string, words: string): editor.IModelDeltaDecoration => ({
    range: new monaco.Range(lineNumber, 1, lineNumber, 1),
    options: {
      glyphMarginClassName: ['text-breakpoint', className].join(' '),
      glyphMarginHoverMessage: { value: words },
    },
  });
  /** Returns the line of the file beside the pointer, and the shown one. */
  const lineAt = ({ target: { type, position } }: editor.IEditorMouseEvent) => {
    if (type !== monaco.editor.MouseTargetType.GUTTER_GLYPH_MARGIN || position === null) return undefined;
    const { lineNumber } = file.filePlace(position);
    return mayBreak(lineNumber) ? { line: lineNumber, shown: position.lineNumber } : undefined;
  };
  view.onMouseMove((event) => {
    const at = lineAt(event);
    const isFree = at !== undefined && !taken.has(at.line);
    offered.set(!isFree ? [] : [glyph(at.shown, 'text-breakpoint-offer', text.breakpoints.toggle)]);
  });
  view.onMouseLeave(() => offered.clear());
  view.onMouseDown((event) => {
    const at = event.event.leftButton ? lineAt(event) : undefined;
    offered.clear();
    if (at !== undefined) onMargin(at.line);
  });
  return (marks) => {
    taken = new Set(marks.map(({ line }) => line));
    marked.set(
      marks.map(({ line, isOff, hasCondition, words }) => {
        const look = `${isOff ? 'text-breakpoint-off' : ''} ${hasCondition ? 'text-breakpoint-condition' : ''}`;
        return glyph(shownLine(file, line), look, words);
      }),
    );
  };
}
