/**
 * Options shared by all text editors of the program.
 */
import type { editor } from 'monaco-editor/editor';

/** Options for displaying text, whether or not it can be edited. */
export const displayOptions = {
  // By default, Monaco marks problems only in editable text.
  renderValidationDecorations: 'on',
  // A dimmed number of the last line would be hard to read.
  renderFinalNewline: 'on',
  automaticLayout: true,
  fontFamily: 'JetBrains Mono Variable, ui-monospace, monospace',
  fontSize: 12,
  lineHeight: 20,
  lineNumbersMinChars: 4,
  minimap: { enabled: false },
  // As narrow as all other scrollbars of the window. The area around them is clickable.
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
  // Invisible characters can hide a change. Monaco shows those in comments and strings only on request.
  unicodeHighlight: { ambiguousCharacters: false, includeComments: true, includeStrings: true },
  // The prompt to remove such characters would change text that the user did not edit.
  unusualLineTerminators: 'off',
} as const satisfies editor.IEditorOptions;

/** Options for editing. */
export const editingOptions = {
  padding: { top: 8, bottom: 8 },
  // Monaco detects the indentation of the file. If there is none, flow files use two spaces.
  tabSize: 2,
  insertSpaces: true,
  detectIndentation: true,
  // Both would change other lines than the edited one.
  trimAutoWhitespace: false,
  formatOnPaste: false,
  quickSuggestions: { other: true, comments: false, strings: true },
  // Word suggestions would hide better ones.
  wordBasedSuggestions: 'off',
  suggest: { showWords: false, preview: false },
  tabCompletion: 'on',
  'semanticHighlighting.enabled': false,
  'bracketPairColorization.enabled': false,
  definitionLinkOpensInPeek: false,
  gotoLocation: { multipleReferences: 'peek' },
} as const satisfies editor.IStandaloneEditorConstructionOptions & { 'bracketPairColorization.enabled': boolean };
