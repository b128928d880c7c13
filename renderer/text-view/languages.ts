/**
 * What texts are written in: by the kind and the name of a file. Areas that know a language better hand it to the text view through
 * the window's shell, as a value of this shape.
 */

import type { languages } from 'monaco-editor/editor';
import type { DocumentKind } from '../stores/text/check.ts';
import type { Monaco } from './monaco.ts';
import type { TextEditor } from './text-editor.ts';

/** A file as languages are chosen by. */
export interface LanguageFile {
  readonly kind: DocumentKind;
  /** Relative to the workspace, with `/`. */
  readonly path: string;
}

/** A language of texts. */
export interface TextLanguage {
  /** Monaco's name of it. */
  readonly id: string;
  isFor(file: LanguageFile): boolean;
  /** Registers the language with Monaco, before the first text in it is shown. The same function is called once a page only. */
  register?(monaco: Monaco): void;
  /** Attaches help for writing to the editor of one file. Returns the end of it. */
  attach?(monaco: Monaco, editor: TextEditor, path: string): () => void;
}

function byEnding(id: string, ...endings: readonly string[]): TextLanguage {
  return { id, isFor: ({ path }) => endings.some((ending) => path.toLowerCase().endsWith(ending)) };
}

/** In the order in which they are asked; after those that other areas bring. */
const ownLanguages: readonly TextLanguage[] = [
  { id: 'yaml', isFor: ({ kind }) => kind === 'flow' },
  { id: 'markdown', isFor: ({ kind }) => kind === 'agent' },
  byEnding('yaml', '.yaml', '.yml'),
  { ...byEnding('json', '.json', '.jsonl'), register: registerJson },
  byEnding('markdown', '.md', '.markdown'),
  byEnding('javascript', '.js', '.mjs', '.cjs'),
  byEnding('lua', '.lua'),
  // Near enough for colours: tables, keys, comments and text have the same.
  byEnding('ini', '.toml', '.ini'),
];

const plainText: TextLanguage = { id: 'plaintext', isFor: () => true };

/** The language of a file. @param further languages of other areas, which come first */
export function languageOf(file: LanguageFile, further: readonly TextLanguage[] = []): TextLanguage {
  return [...further, ...ownLanguages].find((language) => language.isFor(file)) ?? plainText;
}

/** What is registered with Monaco already. */
const registered = new Set<TextLanguage['register']>();

/** Registers a language with Monaco, once. */
export function registerLanguage(monaco: Monaco, { register }: TextLanguage): void {
  if (registered.has(register)) return;
  registered.add(register);
  register?.(monaco);
}

/** Colours of JSON. Monaco's own language for it would bring a worker and a second list of problems. */
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
