/**
 * Monaco's model of a file, in step with the file's text: what is typed goes out as edits of that text, and edits from outside come
 * in without being taken for typing.
 */
import type { editor, IPosition } from 'monaco-editor/editor';
import { applyEdits, type TextEdit } from '../../engine/isomorphic.ts';
import { LineMap } from './line-map.ts';
import { monaco } from './monaco.ts';

/** Texts longer than this are shown without colours, folding and bindings, which would take seconds. */
const longText = 1_000_000;

export class FileModel {
  readonly model: editor.ITextModel;
  readonly #language: string;
  readonly #onTyped: (edits: readonly TextEdit[]) => void;
  #map = new LineMap('');
  #isFollowing = false;

  /** @param onTyped called with what the person changed, as edits of the text that the file had before */
  constructor(language: string, uri: string, onTyped: (edits: readonly TextEdit[]) => void) {
    this.#language = language;
    this.#onTyped = onTyped;
    this.model = monaco.editor.createModel('', language, monaco.Uri.parse(uri));
    this.model.onDidChangeContent(({ changes, isFlush }) => {
      if (!this.#isFollowing && !isFlush) this.#takeTyped(changes);
    });
  }

  /** The text of the file, as the file has it. */
  get text(): string {
    return this.#map.text;
  }

  get isLong(): boolean {
    return this.text.length > longText;
  }

  /** Sets another text; cursors and marks are lost. */
  setText(text: string): void {
    this.#map = new LineMap(text);
    this.#follow(() => {
      monaco.editor.setModelLanguage(this.model, this.isLong ? 'plaintext' : this.#language);
      this.model.setValue(this.#map.shownText());
      this.model.setEOL(monaco.editor.EndOfLineSequence.LF);
    });
  }

  /** Makes edits of the file's text. Cursors and marks keep their places. Returns the same edits as the model has them. */
  applyEdits(edits: readonly TextEdit[]): readonly TextEdit[] {
    const after = new LineMap(applyEdits(this.text, edits));
    const shown = this.#map.shownEdits(edits, after);
    this.#map = after;
    this.#applyShown(shown);
    return shown;
  }

  /** Monaco's position of an offset in the file's text. */
  positionOf(offset: number): IPosition {
    return this.model.getPositionAt(this.#map.toShown(offset));
  }

  /** Offset in the file's text of a position of Monaco's. */
  offsetOf(position: IPosition): number {
    return this.#map.toFile(this.model.getOffsetAt(position));
  }

  /** Monaco's position of a line and column of the file, both from 1, as the engine counts them. */
  shownPlace(place: IPosition): IPosition {
    return this.#map.isPlain ? place : this.positionOf(this.#map.offsetOf(place));
  }

  /** Line and column of the file of a position of Monaco's. */
  filePlace(position: IPosition): IPosition {
    return this.#map.isPlain ? position : this.#map.placeOf(this.offsetOf(position));
  }

  /** Changes that Monaco made one after the other. Those that go from the end to the beginning are one step. */
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

  /** A byte order mark that was put before the first letter is part of the file, but nothing that is shown. */
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
