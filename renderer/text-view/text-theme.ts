/**
 * Creates Monaco's theme from the style tokens, so that text matches the rest of the window in light and in dark.
 */
import type { editor } from 'monaco-editor/editor';
import type { Monaco } from './monaco.ts';

type ThemeName = 'light' | 'dark';

/** Returns a token's value, for example `#1a1a19` for `--text-1`. */
type ReadToken = (name: string) => string;

/** Monaco's token types and the style tokens of their colors. */
const ruleTokens: readonly (readonly [kind: string, token: string])[] = [
  ['', '--text-1'],
  ['type', '--syn-key'],
  ['string', '--syn-str'],
  ['number', '--syn-num'],
  ['number.date', '--syn-num'],
  ['keyword', '--syn-num'],
  ['comment', '--syn-com'],
  ['tag', '--syn-fn'],
  ['namespace', '--syn-fn'],
  ['operators', '--text-3'],
  ['delimiter', '--text-3'],
  ['keyword.lua', '--syn-key'],
  ['function', '--syn-fn'],
  ['key', '--syn-fn'],
  ['binding', '--syn-bind'],
  ['heading', '--syn-head'],
  ['fence', '--text-3'],
  ['strong', '--text-1'],
];

/** Token types in bold. */
const boldKinds: ReadonlySet<string> = new Set(['heading', 'strong']);

const colorTokens: Readonly<Record<string, string>> = {
  'editor.background': '--panel',
  'editor.foreground': '--text-1',
  'editorLineNumber.foreground': '--text-3',
  'editorLineNumber.activeForeground': '--text-1',
  'editorCursor.foreground': '--text-1',
  'editor.lineHighlightBackground': '--hover',
  'editorIndentGuide.background1': '--line',
  'editorIndentGuide.activeBackground1': '--line-strong',
  'editorError.foreground': '--state-fail',
  'editorWarning.foreground': '--state-wait',
  'editorInfo.foreground': '--state-run',
  'editorHoverWidget.background': '--card',
  'editorHoverWidget.foreground': '--text-1',
  'editorHoverWidget.border': '--line-strong',
  'editorWidget.background': '--card',
  'editorWidget.foreground': '--text-1',
  'editorWidget.border': '--line-strong',
  'input.background': '--field',
  'input.border': '--field-line',
  focusBorder: '--text-1',
  'editorSuggestWidget.background': '--card',
  'editorSuggestWidget.border': '--line-strong',
  'editorSuggestWidget.foreground': '--text-1',
  'editorSuggestWidget.selectedBackground': '--active',
  'editorSuggestWidget.selectedForeground': '--text-1',
  'editorSuggestWidget.selectedIconForeground': '--text-1',
  'editorSuggestWidget.focusHighlightForeground': '--syn-bind',
  'editorSuggestWidget.highlightForeground': '--syn-bind',
  'symbolIcon.propertyForeground': '--text-2',
  'symbolIcon.fieldForeground': '--text-2',
  'symbolIcon.variableForeground': '--text-2',
  'symbolIcon.enumeratorMemberForeground': '--text-2',
  'symbolIcon.objectForeground': '--text-2',
  'quickInput.background': '--card',
  'quickInput.foreground': '--text-1',
  'quickInputList.focusBackground': '--active',
  'quickInputList.focusForeground': '--text-1',
  'list.hoverBackground': '--hover',
  'list.activeSelectionBackground': '--active',
  'list.activeSelectionForeground': '--text-1',
  'list.inactiveSelectionBackground': '--active',
  'peekView.border': '--line-strong',
  'peekViewTitle.background': '--card',
  'peekViewTitleLabel.foreground': '--text-1',
  'peekViewTitleDescription.foreground': '--text-2',
  'peekViewEditor.background': '--panel',
  'peekViewEditorGutter.background': '--panel',
  'peekViewResult.background': '--card',
  'peekViewResult.lineForeground': '--text-1',
  'peekViewResult.selectionBackground': '--active',
  'peekViewResult.selectionForeground': '--text-1',
  // Colors are reserved for meaning: brackets are not colored by depth.
  'editorBracketHighlight.foreground1': '--text-3',
  'editorBracketHighlight.foreground2': '--text-3',
  'editorBracketHighlight.foreground3': '--text-3',
  'editorBracketHighlight.unexpectedBracket.foreground': '--state-fail',
};

/** Tokens with reduced opacity, given as the hexadecimal alpha to append. */
const faintTokens: Readonly<Record<string, readonly [token: string, alpha: string]>> = {
  'editor.selectionBackground': ['--state-run', '40'],
  'editor.inactiveSelectionBackground': ['--state-run', '26'],
  'editor.findMatchBackground': ['--state-wait', '66'],
  'editor.findMatchHighlightBackground': ['--state-wait', '33'],
  'peekViewEditor.matchHighlightBackground': ['--state-wait', '40'],
  'peekViewResult.matchHighlightBackground': ['--state-wait', '40'],
  'diffEditor.insertedTextBackground': ['--state-ok', '33'],
  'diffEditor.insertedLineBackground': ['--state-ok', '1a'],
  'diffEditor.removedTextBackground': ['--state-fail', '33'],
  'diffEditor.removedLineBackground': ['--state-fail', '1a'],
  'scrollbarSlider.background': ['--line-control', 'aa'],
  'scrollbarSlider.hoverBackground': ['--line-control', 'dd'],
  'scrollbarSlider.activeBackground': ['--line-control', 'ff'],
};

/** Monaco accepts only `#rrggbb`, and a built style sheet shortens colors if possible. */
function inFull(color: string): string {
  return /^#[0-9a-f]{3}$/i.test(color) ? color.replaceAll(/[0-9a-f]/gi, '$&$&') : color;
}

/** Builds the theme. It overrides Monaco's colors for everything that has a token. */
export function textTheme(theme: ThemeName, readToken: ReadToken): editor.IStandaloneThemeData {
  const read: ReadToken = (name) => inFull(readToken(name));
  const colors = Object.entries(colorTokens).map(([name, token]) => [name, read(token)] as const);
  const faint = Object.entries(faintTokens).map(([name, [token, alpha]]) => [name, read(token) + alpha] as const);
  return {
    base: theme === 'dark' ? 'vs-dark' : 'vs',
    // Monaco's own rules for YAML are more specific and would override ours.
    inherit: false,
    rules: ruleTokens.map(([token, name]) => ({
      token,
      foreground: read(name).replace('#', ''),
      ...(boldKinds.has(token) ? { fontStyle: 'bold' } : {}),
    })),
    colors: { ...Object.fromEntries([...colors, ...faint]), 'editor.lineHighlightBorder': '#00000000' },
  };
}

/** Makes Monaco's theme follow that of the page. It applies to all editors. Returns a function that stops it. */
export function followTheme({ editor: { defineTheme, setTheme } }: Monaco): () => void {
  const root = document.documentElement;
  const apply = (): void => {
    const name: ThemeName = root.dataset['theme'] === 'dark' ? 'dark' : 'light';
    const style = getComputedStyle(root);
    defineTheme(
      `millrace-${name}`,
      textTheme(name, (token) => style.getPropertyValue(token).trim()),
    );
    setTheme(`millrace-${name}`);
  };
  apply();
  const observer = new MutationObserver(apply);
  observer.observe(root, { attributes: true, attributeFilter: ['data-theme', 'data-contrast'] });
  return () => observer.disconnect();
}
