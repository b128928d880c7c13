/** Parts of Monaco that its own types leave out. */
declare module 'monaco-editor/editor/standalone/browser/standaloneServices.js' {
  /** Of all editors of the page. */
  export const StandaloneServices: { get<Service>(id: { readonly service: Service }): Service };
}

declare module 'monaco-editor/platform/storage/common/storage.js' {
  interface StorageService {
    /** `scope` 0 = the person's own, `target` 0 = theirs as well. */
    store(key: string, value: boolean, scope: number, target: number): void;
  }
  export const IStorageService: { readonly service: StorageService };
}
