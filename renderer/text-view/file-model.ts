/**
 * Monaco's model of a file, synchronized with the file's text: typing is sent as edits of that text, and edits from
 * outside are applied without being treated as typing.
 */
import type { editor, IPosition } from 'monaco-editor/editor';
import { applyEdits, type TextEdit } from '../../engine/isomorphic.ts';
import { LineMap } from './line-map.ts';
import { monaco } from './monaco.ts';

/** Longer text is shown without colors, folding and bindings, because these would take seconds. */
const longText = 1_000_000;

export class FileModel {
  readonly model: editor.ITextModel;
  readonly #language: string;
  readonly #onTyped: (edits: readonly TextEdit[]) => void;
  #map = new LineMap('');
  #isFollowing = false;

  /** @param onTyped called with the user's changes, as edits of the previous text of the file */
  constructor(language: string, uri: string, onTyped: (edits: readonly TextEdit[]) => void) {
    this.#language = language;
    this.#onTyped = onTyped;
    this.model = monaco.editor.createModel('', language, monaco.Uri.parse(uri));
    this.model.onDidChangeContent(({ changes, isFlush }) => {
      if (!this.#isFollowing && !isFlush) this.#takeTyped(changes);
    });
  }

  /** The exact text of the file. */
  get text(): string {
    return this.#map.text;
  }

  get isLong(): boolean {
    return this.text.length > longText;
  }

  /** Replaces the text. Cursors and markers are lost. */
  setText(text: string): void {
    this.#map = new LineMap(text);
    this.#follow(() => {
      monaco.editor.setModelLanguage(this.model, this.isLong ? 'plaintext' : this.#language);
      this.model.setValue(this.#map.shownText());
      this.model.setEOL(monaco.editor.EndOfLineSequence.LF);
    });
  }

  /**
   * Applies edits of the file's text. Cursors and markers keep their positions. Returns the edits in the offsets of the
   * model.
   */
  applyEdits(edits: readonly TextEdit[]): readonly TextEdit[] {
    const after = new LineMap(applyEdits(this.text, edits));
    const shown = this.#map.shownEdits(edits, after);
    this.#map = after;
    this.#applyShown(shown);
    return shown;
  }

  /** Returns Monaco's position for an offset in the file's text. */
  positionOf(offset: number): IPosition {
    return this.model.getPositionAt(this.#map.toShown(offset));
  }

  /** Returns the offset in the file's text for a position in Monaco. */
  offsetOf(position: IPosition): number {
    return this.#map.toFile(this.model.getOffsetAt(position));
  }

  /** Returns Monaco's position for a line and column of the file, both from 1 as in the engine. */
  shownPlace(place: IPosition): IPosition {
    return this.#map.isPlain ? place : this.positionOf(this.#map.offsetOf(place));
  }

  /** Returns the line and column of the file for a position in Monaco. */
  filePlace(position: IPosition): IPosition {
    return this.#map.isPlain ? position : this.#map.placeOf(this.offsetOf(position));
  }

  /** Handles consecutive changes by Monaco. Changes from the end to the beginning form one step. */
  #takeTyped(changes: readonly editor.IModelContentChange[]): void {
    const steps: TextEdit[][] = [];
    for (const { rangeOffset, rangeLength, text } of changes) {
      const edit = { start: rangeOffset, end: rangeOffset + rangeLength, text };
      const step = steps.at(-1);
      if (step?.[0] !== undefined && edit.end <= step[0].start) step.unshift(edit);
      else steps.push([edit]);
    }
    for (const step of steps) {
      const edits = this.#map.fileEdits(step);
      this.#map = new LineMap(applyEdits(this.text, edits));
      this.#onTyped(edits);
    }
    this.#dropStrayMark();
  }

  /** A byte order mark inserted before the first character is part of the file, but is not shown. */
  #dropStrayMark(): void {
    const stray = this.model.getValueLength() - this.#map.shownLength;
    if (stray > 0) this.#applyShown([{ start: 0, end: stray, text: '' }]);
  }

  #applyShown(edits: readonly TextEdit[]): void {
    const operations = edits.map(({ start, end, text }) => ({
      range: monaco.Range.fromPositions(this.model.getPositionAt(start), this.model.getPositionAt(end)),
      text,
    }));
    this.#follow(() => this.model.applyEdits(operations));
  }

  #follow(change: () => void): void {
    this.#isFollowing = true;
    try {
      change();
    } finally {
      this.#isFollowing = false;
    }
  }
}
