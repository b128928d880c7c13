/** The part of WebAssembly that we use, which Node's types omit. */
declare namespace WebAssembly {
  type ImportValue = ((...args: never[]) => unknown) | Memory | Table;

  interface ImportDescriptor {
    readonly module: string;
    readonly name: string;
  }

  class Module {
    constructor(bytes: Uint8Array);
    static imports(module: Module): ImportDescriptor[];
  }

  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, ImportValue>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }

  interface Memory {
    readonly buffer: ArrayBuffer;
    /** Adds pages of 64 KiB. @throws RangeError if there is not enough memory */
    grow(pages: number): number;
  }

  interface Table {
    get(index: number): (...args: readonly number[]) => unknown;
    set(index: number, value: unknown): void;
    /** Adds entries. Returns the previous length. */
    grow(places: number): number;
  }

  function compile(bytes: Uint8Array): Promise<Module>;
}
