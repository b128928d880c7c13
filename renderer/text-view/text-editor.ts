/**
 * Monaco as this program uses it: one read-only text with marks. Knows no stores and no React.
 */
import type { editor } from 'monaco-editor/editor';
import { monaco } from './monaco.ts';
import type { ProblemMarker } from './text-places.ts';
import { type ThemeName, textTheme } from './text-theme.ts';

const markerOwner = 'millrace';
const bindingPattern = '\\{\\{[^{}\\n]*\\}\\}';
/** Texts longer than this are shown without colours, folding and bindings, which would take seconds. */
const longText = 1_000_000;

export interface TextEditor {
  /** Replaces the text and keeps the place that is shown. */
  setText(text: string): void;
  setProblems(markers: readonly ProblemMarker[]): void;
  /** Highlights lines, both included, and shows them if they are out of view; null takes the highlight away. */
  highlight(lines: { readonly first: number; readonly last: number } | null): void;
  /** Puts the cursor to a place, shows it and takes the focus. Both count from 1. */
  reveal(place: { readonly line: number; readonly column: number }): void;
  dispose(): void;
}

export interface TextEditorOptions {
  readonly label: string;
  readonly language: 'yaml' | 'markdown';
  /** The person, not the program, moved the cursor to a line (from 1). */
  readonly onCursorLine: (line: number) => void;
}

/** Makes an editor that fills `host`. */
export function createTextEditor(host: HTMLElement, { label, language, onCursorLine }: TextEditorOptions): TextEditor {
  const model = monaco.editor.createModel('', language);
  const view = monaco.editor.create(host, { ...viewOptions, model, ariaLabel: label });
  const selected = view.createDecorationsCollection();
  const bindings = view.createDecorationsCollection();
  const endTheme = followTheme();
  view.onDidChangeCursorPosition(({ source, position }) => {
    if (source === 'mouse' || source === 'keyboard') onCursorLine(position.lineNumber);
  });
  // Monaco measures letters once; ours may come after that.
  void document.fonts.ready.then(() => monaco.editor.remeasureFonts());
  return {
    setText(text) {
      if (model.getValue() === text) return;
      const isLong = text.length > longText;
      const place = view.saveViewState();
      monaco.editor.setModelLanguage(model, isLong ? 'plaintext' : language);
      model.setValue(text);
      view.updateOptions({ folding: !isLong });
      view.restoreViewState(place);
      bindings.set(isLong ? [] : findBindings(model));
    },
    setProblems: (markers) => monaco.editor.setModelMarkers(model, markerOwner, [...markers]),
    highlight(lines) {
      if (lines === null) {
        selected.clear();
        return;
      }
      const range = new monaco.Range(lines.first, 1, lines.last, 1);
      selected.set([{ range, options: selectedLines }]);
      view.revealRangeInCenterIfOutsideViewport(range);
    },
    reveal({ line, column }) {
      view.setPosition({ lineNumber: line, column });
      view.revealLineInCenter(line);
      view.focus();
    },
    dispose() {
      endTheme();
      view.dispose();
      model.dispose();
    },
  };
}

const viewOptions: editor.IStandaloneEditorConstructionOptions = {
  readOnly: true,
  domReadOnly: true,
  // Left to itself, Monaco marks problems only where they can be mended.
  renderValidationDecorations: 'on',
  automaticLayout: true,
  fontFamily: 'JetBrains Mono Variable, ui-monospace, monospace',
  fontSize: 12,
  lineHeight: 20,
  lineNumbersMinChars: 4,
  minimap: { enabled: false },
  padding: { top: 8, bottom: 8 },
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
  scrollBeyondLastLine: false,
  contextmenu: false,
  fixedOverflowWidgets: true,
  occurrencesHighlight: 'off',
  overviewRulerBorder: false,
  hideCursorInOverviewRuler: true,
  stickyScroll: { enabled: false },
  unicodeHighlight: { ambiguousCharacters: false },
};

const selectedLines: editor.IModelDecorationOptions = {
  isWholeLine: true,
  className: 'text-view-selected',
  linesDecorationsClassName: 'text-view-selected-edge',
};

function findBindings(model: editor.ITextModel): editor.IModelDeltaDecoration[] {
  const matches = model.findMatches(bindingPattern, false, true, true, null, false);
  return matches.map(({ range }) => ({ range, options: { inlineClassName: 'text-view-binding' } }));
}

/** Themes belong to all editors of a page. Returns the end of following. */
function followTheme(): () => void {
  const root = document.documentElement;
  const apply = (): void => {
    const name: ThemeName = root.dataset['theme'] === 'dark' ? 'dark' : 'light';
    const style = getComputedStyle(root);
    monaco.editor.defineTheme(
      `millrace-${name}`,
      textTheme(name, (token) => style.getPropertyValue(token).trim()),
    );
    monaco.editor.setTheme(`millrace-${name}`);
  };
  apply();
  const observer = new MutationObserver(apply);
  observer.observe(root, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}
