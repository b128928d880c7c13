/**
 * Colours of JSON. Monaco's own language for it would bring a worker and a second list of problems.
 */
import type { languages } from 'monaco-editor/editor';
import type { Monaco } from './monaco.ts';

const grammar: languages.IMonarchLanguage = {
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

export function registerJson({ languages }: Monaco): void {
  languages.register({ id: 'json' });
  languages.setMonarchTokensProvider('json', grammar);
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
