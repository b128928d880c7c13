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
