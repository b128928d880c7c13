/**
 * Text languages of this area. Their features are loaded when the first such text is shown.
 */
import type * as MonacoModule from 'monaco-editor/editor';

type Monaco = typeof MonacoModule;

interface AgentEditorFile {
  readonly kind: string;
  readonly path: string;
}

interface AgentTextLanguage {
  readonly id: string;
  isFor(file: AgentEditorFile): boolean;
  register(monaco: Monaco): void;
  attach?(monaco: Monaco, editor: { readonly view: MonacoModule.editor.ICodeEditor }): () => void;
}

/** Agent files. */
const agents: AgentTextLanguage = {
  id: 'aip',
  isFor: ({ kind, path }) => kind === 'agent' || path.toLowerCase().endsWith('.aip'),
  register(monaco) {
    monaco.languages.register({ id: 'aip' });
    void import('./agent-language.ts').then(({ describeAgentLanguage }) => describeAgentLanguage(monaco));
  },
  attach(_monaco, { view }) {
    let end: (() => void) | undefined;
    let isOver = false;
    void import('./stage-decorations.ts').then(({ drawStages }) => {
      if (!isOver) end = drawStages(view);
    });
    return () => {
      isOver = true;
      end?.();
    };
  },
};

/** `pack.toml` and other settings. */
const toml: AgentTextLanguage = {
  id: 'toml',
  isFor: ({ path }) => path.toLowerCase().endsWith('.toml'),
  register(monaco) {
    monaco.languages.register({ id: 'toml' });
    void import('./agent-language.ts').then(({ describeToml }) => describeToml(monaco));
  },
};

export const agentTextLanguages: readonly AgentTextLanguage[] = [agents, toml];
