/**
 * The languages of text, determined by a file's kind and name. Features that support a language pass it to the text
 * view through the window's shell, in this format.
 */

import type { languages } from 'monaco-editor/editor';
import type { DocumentKind } from '../stores/text/check.ts';
import type { Monaco } from './monaco.ts';
import type { TextEditor } from './text-editor.ts';

/** The properties of a file that determine its language. */
export interface LanguageFile {
  readonly kind: DocumentKind;
  /** Relative to the workspace, with `/`. */
  readonly path: string;
}

/** A language of text. */
export interface TextLanguage {
  /** Monaco's ID of the language. */
  readonly id: string;
  isFor(file: LanguageFile): boolean;
  /**
   * Registers the language with Monaco before its first text is shown. The same function is called only once per page.
   */
  register?(monaco: Monaco): void;
  /** Attaches language features to the editor of one file. Returns a function that removes them. */
  attach?(monaco: Monaco, editor: TextEditor, path: string): () => void;
}

function byEnding(id: string, ...endings: readonly string[]): TextLanguage {
  return { id, isFor: ({ path }) => endings.some((ending) => path.toLowerCase().endsWith(ending)) };
}

/** In order of precedence, after those of other features. */
const ownLanguages: readonly TextLanguage[] = [
  { id: 'yaml', isFor: ({ kind }) => kind === 'flow' },
  { id: 'markdown', isFor: ({ kind }) => kind === 'agent' },
  byEnding('yaml', '.yaml', '.yml'),
  { ...byEnding('json', '.json', '.jsonl'), register: registerJson },
  byEnding('markdown', '.md', '.markdown'),
  byEnding('javascript', '.js', '.mjs', '.cjs'),
  byEnding('lua', '.lua'),
  // Close enough for highlighting: tables, keys, comments and strings are the same.
  byEnding('ini', '.toml', '.ini'),
];

const plainText: TextLanguage = { id: 'plaintext', isFor: () => true };

/** Returns the language of a file. @param further languages of other features, which take precedence */
export function languageOf(file: LanguageFile, further: readonly TextLanguage[] = []): TextLanguage {
  return [...further, ...ownLanguages].find((language) => language.isFor(file)) ?? plainText;
}

/** Functions already registered with Monaco. */
const registered = new Set<TextLanguage['register']>();

/** Registers a language with Monaco once. */
export function registerLanguage(monaco: Monaco, { register }: TextLanguage): void {
  if (registered.has(register)) return;
  registered.add(register);
  register?.(monaco);
}

/** Highlighting for JSON. Monaco's JSON language would add a worker and a second list of problems. */
const jsonGrammar: languages.IMonarchLanguage = {
  defaultToken: '',
  brackets: [
    { open: '{', close: '}', token: 'delimiter.bracket' },
    { open: '[', close: ']', token: 'delimiter.square' },
  ],
  tokenizer: {
    root: [
      [/"(?:[^"\\]|\\.)*"(?=\s*:)/, 'type'],
      [/"(?:[^"\\]|\\.)*"?/, 'string'],
      [/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/, 'number'],
      [/\b(?:true|false|null)\b/, 'keyword'],
      [/[{}[\]]/, '@brackets'],
      [/[,:]/, 'delimiter'],
    ],
  },
};

function registerJson({ languages }: Monaco): void {
  languages.register({ id: 'json' });
  languages.setMonarchTokensProvider('json', jsonGrammar);
  const pairs = [
    { open: '{', close: '}' },
    { open: '[', close: ']' },
    { open: '"', close: '"' },
  ];
  languages.setLanguageConfiguration('json', {
    brackets: [
      ['{', '}'],
      ['[', ']'],
    ],
    autoClosingPairs: pairs,
    surroundingPairs: pairs,
  });
}
