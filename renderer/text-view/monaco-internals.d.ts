/** Parts of Monaco that its type definitions omit. */
declare module 'monaco-editor/editor/standalone/browser/standaloneServices.js' {
  /** Services shared by all editors of the page. */
  export const StandaloneServices: { get<Service>(id: { readonly service: Service }): Service };
}

declare module 'monaco-editor/platform/storage/common/storage.js' {
  interface StorageService {
    /** `scope` 0 is the user's profile, and `target` 0 is also the user. */
    store(key: string, value: boolean, scope: number, target: number): void;
  }
  export const IStorageService: { readonly service: StorageService };
}

declare module 'monaco-editor/editor/common/services/editorWorker.js' {
  import type { Uri } from 'monaco-editor/editor';

  /** Lines from 1. The end is the line after the last one. */
  interface LineRange {
    readonly startLineNumber: number;
    readonly endLineNumberExclusive: number;
  }

  interface EditorWorkerService {
    /** Compares two models in Monaco's worker. Null if one of them is too large for it. */
    computeDiff(
      original: Uri,
      modified: Uri,
      options: {
        readonly ignoreTrimWhitespace: boolean;
        readonly maxComputationTimeMs: number;
        readonly computeMoves: boolean;
      },
      algorithm: 'advanced',
    ): Promise<{ readonly changes: readonly { readonly original: LineRange; readonly modified: LineRange }[] } | null>;
  }
  export const IEditorWorkerService: { readonly service: EditorWorkerService };
}
