/**
 * Registers the language of agent files with Monaco: colors, completion, hovers, parameter hints, folding. Receives
 * Monaco as a parameter, so that it can be loaded first.
 */
import type * as MonacoModule from 'monaco-editor/editor';
import { scanAgent } from '../../engine/isomorphic.ts';
import { firstState, type LineState, type LineToken, tokenizeLine, tomlTokens } from './language/agent-tokens.ts';
import { completeAgent } from './language/completions.ts';
import { hoverAgent } from './language/hovers.ts';

import { parameterHint } from './language/parameter-hints.ts';
import type { AgentCompletion } from './language/proposal.ts';
import { stageOf } from './language/stages.ts';

type Monaco = typeof MonacoModule;
type Model = MonacoModule.editor.ITextModel;
type MonacoPosition = MonacoModule.IPosition;

/** Monaco's ids for agent files and TOML. */
const agentLanguageId = 'aip';
const tomlLanguageId = 'toml';

/** Registers all language features with Monaco; call once per page. */
export function describeAgentLanguage(monaco: Monaco): void {
  const { languages } = monaco;
  const id = agentLanguageId;
  languages.setTokensProvider(id, {
    getInitialState: () => tokenState(firstState),
    tokenize(line, state) {
      const { tokens, end } = tokenizeLine(line, (state as TokenState).value);
      return { tokens: scopesOf(tokens), endState: tokenState(end) };
    },
  });
  languages.setLanguageConfiguration(id, configuration);
  languages.registerCompletionItemProvider(id, {
    triggerCharacters: ['.', '{', '#', '='],
    provideCompletionItems(model, position) {
      const found = completeAgent(model.getValue(), model.getOffsetAt(position));
      return { suggestions: found.map((one, index) => suggestionOf(monaco, model, one, index)) };
    },
  });
  languages.registerHoverProvider(id, { provideHover: hoverAt });
  languages.registerSignatureHelpProvider(id, {
    signatureHelpTriggerCharacters: ['(', ','],
    signatureHelpRetriggerCharacters: [',', ')'],
    provideSignatureHelp: signatureAt,
  });
  languages.registerFoldingRangeProvider(id, { provideFoldingRanges: foldingOf });
  languages.registerDocumentSymbolProvider(id, { provideDocumentSymbols: (model) => symbolsOf(monaco, model) });
}

/** Registers the colors of TOML with Monaco. */
export function describeToml({ languages }: Monaco): void {
  const state = { clone: () => state, equals: () => true };
  languages.setTokensProvider(tomlLanguageId, {
    getInitialState: () => state,
    tokenize: (line) => ({ tokens: scopesOf(tomlTokens(line)), endState: state }),
  });
  languages.setLanguageConfiguration(tomlLanguageId, { ...configuration, comments: { lineComment: '#' } });
}

/** Quotes are not closed automatically, because prompts contain many apostrophes. */
const configuration: MonacoModule.languages.LanguageConfiguration = {
  // Includes characters that end words and quotes, so that `{{` gets its `}}` wherever a binding may begin.
  autoCloseBefore: ';:.,=}])>"\'`!?*_-|\\/ \n\t',
  comments: { lineComment: '--' },
  brackets: [
    ['{', '}'],
    ['[', ']'],
    ['(', ')'],
  ],
  autoClosingPairs: [
    { open: '{', close: '}' },
    { open: '[', close: ']' },
    { open: '(', close: ')' },
  ],
  surroundingPairs: [
    { open: '{', close: '}' },
    { open: '[', close: ']' },
    { open: '(', close: ')' },
    { open: '"', close: '"' },
    { open: '`', close: '`' },
    { open: '*', close: '*' },
  ],
  indentationRules: {
    increaseIndentPattern: /^\s*(?:local\s+)?(?:function|if|for|while|repeat|else|elseif)\b(?!.*\bend\b).*$|[{(]\s*$/,
    decreaseIndentPattern: /^\s*(?:end|else|elseif|until)\b|^\s*[})]/,
  },
};

interface TokenState extends MonacoModule.languages.IState {
  readonly value: LineState;
}

function tokenState(value: LineState): TokenState {
  const same = JSON.stringify(value);
  const state: TokenState = {
    value,
    clone: () => state,
    equals: (other) => JSON.stringify((other as TokenState).value) === same,
  };
  return state;
}

function scopesOf(tokens: readonly LineToken[]): MonacoModule.languages.IToken[] {
  return tokens.map(({ start, name }) => ({ startIndex: start, scopes: name }));
}

function rangeOf(model: Model, start: number, end: number): MonacoModule.IRange {
  const from = model.getPositionAt(start);
  const to = model.getPositionAt(end);
  return {
    startLineNumber: from.lineNumber,
    startColumn: from.column,
    endLineNumber: to.lineNumber,
    endColumn: to.column,
  };
}

const suggestionKinds = {
  function: 'Function',
  constant: 'Constant',
  module: 'Module',
  field: 'Field',
  variable: 'Variable',
  keyword: 'Keyword',
  value: 'Value',
  stage: 'Struct',
} as const satisfies Record<AgentCompletion['kind'], keyof typeof MonacoModule.languages.CompletionItemKind>;

function suggestionOf(
  { languages }: Monaco,
  model: Model,
  completion: AgentCompletion,
  index: number,
): MonacoModule.languages.CompletionItem {
  const { label, kind, insert, isSnippet, detail, doc, isFirst, start, end } = completion;
  const { InsertAsSnippet, None } = languages.CompletionItemInsertTextRule;
  return {
    label: detail === undefined ? label : { label, detail: detail.startsWith('(') ? detail : ` ${detail}` },
    kind: languages.CompletionItemKind[suggestionKinds[kind]],
    insertText: insert,
    insertTextRules: isSnippet === true ? InsertAsSnippet : None,
    ...(detail === undefined ? {} : { detail: `${label}${detail.startsWith('(') ? '' : ': '}${detail}` }),
    ...(doc === undefined ? {} : { documentation: { value: doc } }),
    ...(insert.endsWith('($0)') ? { command: { id: 'editor.action.triggerParameterHints', title: '' } } : {}),
    sortText: `${isFirst === true ? 0 : 1}${String(index).padStart(5, '0')}`,
    range: rangeOf(model, start, end),
  };
}

function hoverAt(model: Model, position: MonacoPosition): MonacoModule.languages.Hover | null {
  const hover = hoverAgent(model.getValue(), model.getOffsetAt(position));
  if (hover === null) return null;
  const { start, end, signature, doc } = hover;
  const code = signature === undefined ? [] : [{ value: `\`\`\`lua\n${signature}\n\`\`\`` }];
  return { range: rangeOf(model, start, end), contents: [...code, { value: doc }] };
}

function signatureAt(model: Model, position: MonacoPosition): MonacoModule.languages.SignatureHelpResult | null {
  const hint = parameterHint(model.getValue(), model.getOffsetAt(position));
  if (hint === null) return null;
  const { signature, doc, parameters, active } = hint;
  return {
    value: {
      signatures: [
        { label: signature, documentation: { value: doc }, parameters: parameters.map((label) => ({ label })) },
      ],
      activeSignature: 0,
      activeParameter: active,
    },
    dispose: () => undefined,
  };
}

interface StageLines {
  readonly name: string;
  readonly detail: string;
  readonly start: number;
  readonly end: number;
}

function stageLines(model: Model): StageLines[] {
  const { sections, unknownHeadings } = scanAgent(model.getValue());
  const known = sections.map(({ line, heading, kind }) => ({ line, heading, detail: stageOf(kind).when }));
  const all = [...known, ...unknownHeadings.map(({ line, heading }) => ({ line, heading, detail: '' }))];
  all.sort((left, right) => left.line - right.line);
  return all.map(({ line, heading, detail }, at) => {
    const end = (all[at + 1]?.line ?? model.getLineCount() + 1) - 1;
    return { name: heading.slice(1).trim() || heading, detail, start: line, end };
  });
}

function foldingOf(model: Model): MonacoModule.languages.FoldingRange[] {
  return stageLines(model).map(({ start, end }) => {
    let last = end;
    while (last > start && model.getLineContent(last).trim() === '') last -= 1;
    return { start, end: last };
  });
}

function symbolsOf({ languages }: Monaco, model: Model): MonacoModule.languages.DocumentSymbol[] {
  return stageLines(model).map(({ name, detail, start, end }) => {
    const range = {
      startLineNumber: start,
      startColumn: 1,
      endLineNumber: end,
      endColumn: model.getLineMaxColumn(end),
    };
    const selectionRange = { ...range, endLineNumber: start, endColumn: model.getLineMaxColumn(start) };
    return { name, detail, kind: languages.SymbolKind.Module, tags: [], range, selectionRange };
  });
}
