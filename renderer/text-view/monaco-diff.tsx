/**
 * Monaco's diff of two texts. Loads Monaco, so it must be used with `lazy`.
 */
import { useEffect, useEffectEvent, useRef } from 'react';
import { displayOptions, editingOptions } from './editor-options.ts';
import { attachUndoHistory } from './editor-undo.ts';
import { FileModel } from './file-model.ts';
import { type LanguageFile, languageOf, registerLanguage } from './languages.ts';
import { monaco } from './monaco.ts';
import { followTheme } from './text-theme.ts';

export interface MonacoDiffProps {
  readonly original: string;
  readonly modified: string;
  /** Determines the language of both texts. */
  readonly file: LanguageFile;
  /** Names the two texts for screen readers. */
  readonly label: string;
  /** Whether to show an inline diff instead of both texts side by side. */
  readonly isInline: boolean;
  /** Makes the second text editable. Called with it in the file's format. */
  readonly onModifiedChange?: (text: string) => void;
}

let diffCount = 0;

interface Diff {
  setTexts(original: string, modified: string): void;
  dispose(): void;
}

interface DiffOptions extends Pick<MonacoDiffProps, 'file' | 'label' | 'isInline'> {
  /** Null for read-only. */
  readonly onChange: ((text: string) => void) | null;
}

function createDiff(host: HTMLElement, { file, label, isInline, onChange }: DiffOptions): Diff {
  const language = languageOf(file);
  registerLanguage(monaco, language);
  diffCount++;
  const original = new FileModel(language.id, `millrace-diff://${diffCount}/original`, () => {});
  const modified = new FileModel(language.id, `millrace-diff://${diffCount}/modified`, () => onChange?.(modified.text));
  const view = monaco.editor.createDiffEditor(host, {
    ...displayOptions,
    ...editingOptions,
    originalEditable: false,
    readOnly: onChange === null,
    renderSideBySide: !isInline,
    useInlineViewWhenSpaceIsLimited: false,
    originalAriaLabel: `${label}: before`,
    modifiedAriaLabel: `${label}: after`,
    hideUnchangedRegions: { enabled: true },
    renderOverviewRuler: false,
  });
  view.setModel({ original: original.model, modified: modified.model });
  const endTheme = followTheme(monaco);
  // This text does not belong to a file with a separate undo history, so Monaco's own history is used.
  const history = attachUndoHistory(view.getModifiedEditor(), {
    onUndo: () => void modified.model.undo(),
    onRedo: () => void modified.model.redo(),
  });
  return {
    setTexts(before, after) {
      if (original.text !== before) original.setText(before);
      if (modified.text !== after) modified.setText(after);
    },
    dispose() {
      history.end();
      endTheme();
      view.dispose();
      original.model.dispose();
      modified.model.dispose();
    },
  };
}

/** Two texts with their differences marked. */
export function MonacoDiff({ original, modified, file, label, isInline, onModifiedChange }: MonacoDiffProps) {
  const host = useRef<HTMLDivElement>(null);
  const diff = useRef<Diff>(null);
  const isWritable = onModifiedChange !== undefined;
  const change = useEffectEvent((text: string) => onModifiedChange?.(text));
  const fill = useEffectEvent((created: Diff) => created.setTexts(original, modified));
  const { kind, path } = file;
  useEffect(() => {
    if (host.current === null) return;
    const onChange = isWritable ? (text: string): void => change(text) : null;
    const created = createDiff(host.current, { file: { kind, path }, label, isInline, onChange });
    diff.current = created;
    fill(created);
    return () => {
      diff.current = null;
      created.dispose();
    };
  }, [kind, path, label, isInline, isWritable]);
  useEffect(() => diff.current?.setTexts(original, modified), [original, modified]);
  return <div className="text-view-editor" ref={host} />;
}
