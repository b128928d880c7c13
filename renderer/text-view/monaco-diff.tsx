/**
 * Monaco's view of two texts. Loads Monaco, hence meant for `lazy`.
 */
import { useEffect, useEffectEvent, useRef } from 'react';
import { displayOptions, editingOptions } from './editor-options.ts';
import { giveHistory } from './editor-undo.ts';
import { FileModel } from './file-model.ts';
import { type LanguageFile, languageOf, registerLanguage } from './languages.ts';
import { monaco } from './monaco.ts';
import { followTheme } from './text-theme.ts';

export interface MonacoDiffProps {
  readonly original: string;
  readonly modified: string;
  /** Says which language both are in. */
  readonly file: LanguageFile;
  /** Names the two texts for those who cannot see them. */
  readonly label: string;
  /** One woven into the other instead of both side by side. */
  readonly isInline: boolean;
  /** Makes the second text writable; called with it, as the file would have it. */
  readonly onModifiedChange?: (text: string) => void;
}

let diffCount = 0;

interface Diff {
  setTexts(original: string, modified: string): void;
  dispose(): void;
}

interface DiffOptions extends Pick<MonacoDiffProps, 'file' | 'label' | 'isInline'> {
  /** Null = only to be read. */
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
  // This text belongs to no file yet, whose edits would be kept elsewhere: here Monaco's own history is the only one.
  const history = giveHistory(view.getModifiedEditor(), {
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

/** Two texts, with what differs marked. */
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
