/**
 * How every text editor of the program is set up.
 */
import type { editor } from 'monaco-editor/editor';

/** How texts are displayed, to be read or written. */
export const displayOptions = {
  // Left to itself, Monaco marks problems only where they can be mended.
  renderValidationDecorations: 'on',
  // Dimmed, the number of the last line could hardly be read.
  renderFinalNewline: 'on',
  automaticLayout: true,
  fontFamily: 'JetBrains Mono Variable, ui-monospace, monospace',
  fontSize: 12,
  lineHeight: 20,
  lineNumbersMinChars: 4,
  minimap: { enabled: false },
  // As slim as all others of the window; the room around them can be clicked.
  scrollbar: {
    verticalScrollbarSize: 10,
    verticalSliderSize: 4,
    horizontalScrollbarSize: 10,
    horizontalSliderSize: 4,
    useShadows: false,
  },
  scrollBeyondLastLine: false,
  contextmenu: false,
  fixedOverflowWidgets: true,
  occurrencesHighlight: 'off',
  overviewRulerBorder: false,
  hideCursorInOverviewRuler: true,
  stickyScroll: { enabled: false },
  unicodeHighlight: { ambiguousCharacters: false },
  // Asking to take such characters out would change what nobody touched.
  unusualLineTerminators: 'off',
} as const satisfies editor.IEditorOptions;

/** What helps to write. */
export const editingOptions = {
  padding: { top: 8, bottom: 8 },
  // The file's own indentation is found by Monaco; where there is none, flow files have two blanks.
  tabSize: 2,
  insertSpaces: true,
  detectIndentation: true,
  // Both would change lines besides the one that is typed.
  trimAutoWhitespace: false,
  formatOnPaste: false,
  quickSuggestions: { other: true, comments: false, strings: true },
  // Words of the text, where nothing better is known, hide what is.
  wordBasedSuggestions: 'off',
  suggest: { showWords: false, preview: false },
  tabCompletion: 'on',
  'semanticHighlighting.enabled': false,
  'bracketPairColorization.enabled': false,
  definitionLinkOpensInPeek: false,
  gotoLocation: { multipleReferences: 'peek' },
} as const satisfies editor.IStandaloneEditorConstructionOptions & { 'bracketPairColorization.enabled': boolean };
