/**
 * The code of a node in the text editor, with highlighting, completion and problem markers. Loads Monaco, so it must be
 * used with `lazy`.
 */
import type { editor, languages } from 'monaco-editor/editor';
import { useEffect, useEffectEvent, useRef } from 'react';
import { editBetween } from '../../engine/isomorphic.ts';
import type { CodeFieldProps } from '../ui/code-field.ts';
import { type CodeHelp, proposalsAt } from './code-proposals.ts';
import { displayOptions, editingOptions } from './editor-options.ts';
import { attachUndoHistory } from './editor-undo.ts';
import { monaco } from './monaco.ts';
import './monaco-code.css';
import { EditorEchoes } from './editor-echoes.ts';
import { followTheme } from './text-theme.ts';

interface MonacoCodeProps extends CodeFieldProps, Pick<CodeHelp, 'completeLua'> {}

/** By the name of the model. */
const helps = new Map<string, () => CodeHelp>();

const provider: languages.CompletionItemProvider = {
  triggerCharacters: ['.'],
  provideCompletionItems(model, position) {
    const help = helps.get(model.uri.toString())?.();
    if (help === undefined) return { suggestions: [] };
    const { startColumn, endColumn } = model.getWordUntilPosition(position);
    const range = new monaco.Range(position.lineNumber, startColumn, position.lineNumber, endColumn);
    const { CompletionItemInsertTextRule, CompletionItemKind } = monaco.languages;
    const found = proposalsAt(help, model.getValue(), model.getOffsetAt(position));
    return {
      suggestions: found.map(({ label, kind, insert, isSnippet, detail = '', doc = '' }) => ({
        // An empty text would open an empty box beside the list.
        ...(doc === '' ? {} : { documentation: { value: doc } }),
        label: { label, description: detail },
        kind: kind === 'function' ? CompletionItemKind.Function : CompletionItemKind.Field,
        insertText: insert,
        ...(isSnippet === true ? { insertTextRules: CompletionItemInsertTextRule.InsertAsSnippet } : {}),
        range,
      })),
    };
  },
};
for (const language of ['javascript', 'lua']) monaco.languages.registerCompletionItemProvider(language, provider);

/** Height limits in pixels of an editor that grows with its lines. */
const heights = { least: 120, most: 360 };

let count = 0;

function createView(host: HTMLElement, { language, text, label }: MonacoCodeProps): editor.IStandaloneCodeEditor {
  const uri = monaco.Uri.parse(`millrace-code://${++count}/code`);
  const model = monaco.editor.createModel(text, language, uri);
  return monaco.editor.create(host, {
    ...displayOptions,
    ...editingOptions,
    model,
    ariaLabel: label,
    lineNumbersMinChars: 2,
    folding: false,
    glyphMargin: false,
    lineDecorationsWidth: 8,
    // The form is narrow, and code beyond its edge would be hidden without a sign.
    wordWrap: 'on',
    wrappingIndent: 'indent',
  });
}

/** Sets the height of the editor to that of its lines, within limits. */
function followHeight(view: editor.IStandaloneCodeEditor, host: HTMLElement): void {
  const adapt = (): void => {
    const height = Math.min(heights.most, Math.max(heights.least, view.getContentHeight()));
    host.style.height = `${height}px`;
  };
  view.onDidContentSizeChange(adapt);
  adapt();
}

export function MonacoCode(props: MonacoCodeProps) {
  const { text, marks, isReadOnly, isLarge = false } = props;
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<editor.IStandaloneCodeEditor>(null);
  const latest = useRef(props);
  const echoes = useRef(new EditorEchoes());
  useEffect(() => {
    latest.current = props;
  });
  const open = useEffectEvent((place: HTMLElement) => {
    const created = createView(place, props);
    if (!isLarge) followHeight(created, place);
    return created;
  });
  useEffect(() => {
    if (host.current === null) return;
    const created = open(host.current);
    view.current = created;
    const model = created.getModel();
    const name = model?.uri.toString() ?? '';
    helps.set(name, () => latest.current);
    const endTheme = followTheme(monaco);
    const history = attachUndoHistory(created, {
      onUndo: () => latest.current.onUndo(),
      onRedo: () => latest.current.onRedo(),
    });
    created.onDidChangeModelContent(() => {
      const text = created.getValue();
      if (echoes.current.isNews(text, latest.current.text)) latest.current.onType(text);
    });
    created.onDidBlurEditorText(() => latest.current.onLeave());
    return () => {
      helps.delete(name);
      endTheme();
      history.end();
      created.dispose();
      model?.dispose();
      view.current = null;
    };
  }, []);
  useEffect(() => {
    const model = view.current?.getModel();
    if (echoes.current.isOwn(text) || model === null || model === undefined || model.getValue() === text) return;
    const edit = editBetween(model.getValue(), text);
    if (edit === null) return;
    const { start, end, text: inserted } = edit;
    const range = monaco.Range.fromPositions(model.getPositionAt(start), model.getPositionAt(end));
    model.applyEdits([{ range, text: inserted }]);
  }, [text]);
  useEffect(() => {
    view.current?.updateOptions({ readOnly: isReadOnly, domReadOnly: isReadOnly });
  }, [isReadOnly]);
  useEffect(() => {
    const model = view.current?.getModel();
    if (model === null || model === undefined) return;
    const lines = model.getLineCount();
    monaco.editor.setModelMarkers(
      model,
      'millrace-code',
      marks
        .filter(({ line }) => line >= 1 && line <= lines)
        .map(({ line, message }) => ({
          severity: monaco.MarkerSeverity.Error,
          message,
          startLineNumber: line,
          startColumn: model.getLineFirstNonWhitespaceColumn(line) || 1,
          endLineNumber: line,
          endColumn: model.getLineMaxColumn(line),
        })),
    );
  }, [marks]);
  // React Flow handles keys, above all the space bar, in every element without `nokey`.
  return <div className="monaco-code nokey" data-large={isLarge} ref={host} />;
}
