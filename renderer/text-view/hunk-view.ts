/**
 * Shows hunks in an editor: colors their lines, adds the lines that the text on screen does not have, and reserves a row
 * above each hunk for its title and buttons.
 */
import type { editor } from 'monaco-editor/editor';
import { IEditorWorkerService } from 'monaco-editor/editor/common/services/editorWorker.js';
import { StandaloneServices } from 'monaco-editor/editor/standalone/browser/standaloneServices.js';
import type { UndecidedTexts } from '../stores/review/compare.ts';
import { FileModel } from './file-model.ts';
import { type HunkChange, type HunkLines, hunksOf, mostHunks, type TextHunk } from './hunks.ts';
import { monaco } from './monaco.ts';

/** Which of the two texts is on screen. */
type HunkSide = keyof HunkChange;

/** Height of the row above a hunk, in pixels. */
const headHeight = 28;
/** A longer comparison returns coarser hunks. */
const maxCompareMs = 2_000;

let modelCount = 0;

interface FoundHunks {
  readonly hunks: readonly TextHunk[];
  readonly side: HunkSide;
  /** For each hunk, the lines that are not on screen. */
  readonly others: readonly (readonly string[])[];
}

/** Returns the hunks of a file. Null if its text is neither of the two, as while the person types. */
export async function findHunks(file: FileModel, open: UndecidedTexts): Promise<FoundHunks | null> {
  const side = file.text === open.after ? 'after' : 'before';
  if (file.text !== open[side] || file.isLong) return null;
  const otherSide = side === 'after' ? 'before' : 'after';
  const other = new FileModel('plaintext', `millrace-hunks://${++modelCount}`, () => undefined);
  other.setText(open[otherSide]);
  try {
    const changes = await compareModels(...(side === 'after' ? ([other, file] as const) : ([file, other] as const)));
    if (file.text !== open[side]) return null;
    const hunks = hunksOf(changes, open.lines).slice(0, mostHunks);
    return { hunks, side, others: hunks.map((hunk) => linesOfModel(other, hunk[otherSide])) };
  } finally {
    other.model.dispose();
  }
}

/** Compares two models line by line in a worker. */
async function compareModels(before: FileModel, after: FileModel): Promise<readonly HunkChange[]> {
  const options = { ignoreTrimWhitespace: false, maxComputationTimeMs: maxCompareMs, computeMoves: false };
  const service = StandaloneServices.get(IEditorWorkerService);
  const compared = await service.computeDiff(before.model.uri, after.model.uri, options, 'advanced');
  return (compared?.changes ?? []).map(({ original, modified }) => ({
    before: linesIn(original),
    after: linesIn(modified),
  }));
}

function linesIn(range: { readonly startLineNumber: number; readonly endLineNumberExclusive: number }): HunkLines {
  const { startLineNumber: first, endLineNumberExclusive: end } = range;
  return { first, count: end - first };
}

/** A hunk in an editor, with the element for its title and buttons. */
export interface ShownHunk {
  readonly hunk: TextHunk;
  /** The text on screen. */
  readonly side: HunkSide;
  readonly head: HTMLElement;
}

/** Shows hunks, until the function in the result is called. */
export function showHunks(
  view: editor.IStandaloneCodeEditor,
  { hunks, side, others }: FoundHunks,
): { readonly shown: readonly ShownHunk[]; readonly end: () => void } {
  const colored = view.createDecorationsCollection(hunks.flatMap((hunk) => decorationOf(hunk[side], side)));
  const heads = hunks.map((hunk, index) => ({ hunk, ...createHead(view, index) }));
  const zones: string[] = [];
  view.changeViewZones((accessor) => {
    for (const [index, { hunk, place }] of heads.entries()) {
      const above = hunk[side].first - 1;
      zones.push(accessor.addZone(headZone(above, place)));
      const lines = others[index] ?? [];
      if (lines.length === 0) continue;
      // Removed lines are above those that replace them.
      const afterLineNumber = side === 'after' ? above : above + hunk[side].count;
      zones.push(accessor.addZone(linesZone(view, lines, { afterLineNumber, isAdded: side === 'before' })));
    }
  });
  return {
    shown: heads.map(({ hunk, element: head }) => ({ hunk, side, head })),
    end() {
      colored.clear();
      view.changeViewZones((accessor) => {
        for (const zone of zones) accessor.removeZone(zone);
      });
      for (const head of heads) head.end();
    },
  };
}

function decorationOf({ first, count }: HunkLines, side: HunkSide): readonly editor.IModelDeltaDecoration[] {
  if (count === 0) return [];
  const range = new monaco.Range(first, 1, first + count - 1, 1);
  const className = side === 'after' ? 'hunk-added' : 'hunk-removed';
  return [{ range, options: { isWholeLine: true, className, linesDecorationsClassName: `${className}-edge` } }];
}

function linesOfModel({ model }: FileModel, { first, count }: HunkLines): readonly string[] {
  return Array.from({ length: count }, (_, index) => model.getLineContent(first + index));
}

function headZone(afterLineNumber: number, place: (top: number) => void): editor.IViewZone {
  return {
    afterLineNumber,
    heightInPx: headHeight,
    domNode: document.createElement('div'),
    onDomNodeTop: place,
    ordinal: 1,
  };
}

function linesZone(
  view: editor.IStandaloneCodeEditor,
  lines: readonly string[],
  { afterLineNumber, isAdded }: { readonly afterLineNumber: number; readonly isAdded: boolean },
): editor.IViewZone {
  const domNode = document.createElement('div');
  const colorClass = isAdded ? 'hunk-added' : 'hunk-removed';
  domNode.classList.add('hunk-lines', colorClass);
  view.applyFontInfo(domNode);
  const marginDomNode = document.createElement('div');
  marginDomNode.classList.add('hunk-signs', colorClass);
  view.applyFontInfo(marginDomNode);
  for (const line of lines) {
    addRow(domNode, line === '' ? ' ' : line);
    addRow(marginDomNode, isAdded ? '+' : '−');
  }
  return { afterLineNumber, heightInLines: lines.length, domNode, marginDomNode, ordinal: 2 };
}

function addRow(element: HTMLElement, text: string): void {
  const row = document.createElement('div');
  row.textContent = text;
  element.append(row);
}

/** Creates the element of a row above a hunk. Elements within view zones would get no clicks. */
function createHead(view: editor.IStandaloneCodeEditor, index: number) {
  const element = document.createElement('div');
  element.className = 'hunk-head';
  element.style.height = `${headHeight}px`;
  const widget = {
    getId: () => `millrace.hunk.${index}`,
    getDomNode: () => element,
    getPosition: () => null,
  };
  view.addOverlayWidget(widget);
  return {
    element,
    place(top: number): void {
      const { contentLeft, contentWidth, verticalScrollbarWidth } = view.getLayoutInfo();
      element.style.top = `${top}px`;
      element.style.left = `${contentLeft}px`;
      element.style.width = `${contentWidth - verticalScrollbarWidth}px`;
    },
    end: () => view.removeOverlayWidget(widget),
  };
}
