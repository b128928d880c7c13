/**
 * Starts `store-child.ts` as a separate process, bundled like the product. For tests.
 */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bundleChildProgram } from './child-program.ts';

/** Commands of `store-child.ts`. */
export type StoreCommand =
  | 'write-run'
  | 'write-forever'
  | 'open-many'
  | 'claim-many'
  | 'fire-many'
  | 'count-and-add'
  | 'open-named-as'
  | 'open-as';

export interface StoreChildProgram {
  /** Path of the bundle, for Node. */
  readonly file: string;
  /** Starts the program with `<command> <path> <argument>`. */
  start(command: StoreCommand, path: string, argument: string): StoreChild;
  /** Removes the bundle. */
  remove(): void;
}

export interface StoreChild {
  readonly process: ChildProcessWithoutNullStreams;
  /** Resolves once it has printed this number of lines. */
  hasSaid(lines: number): Promise<void>;
  /** Sends it a line. */
  tell(): void;
  /** JSON lines and error output, once it has ended. */
  readonly ended: Promise<{ readonly said: readonly unknown[]; readonly errors: string }>;
}

/** Bundles the program. */
export async function bundleStoreChild(): Promise<StoreChildProgram> {
  const { file, remove } = await bundleChildProgram(fileURLToPath(new URL('./store-child.ts', import.meta.url)));
  return { file, remove, start: (...args) => startChild([file, ...args]) };
}

function startChild(args: readonly string[]): StoreChild {
  const child = spawn(process.execPath, args);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<{ said: unknown[]; errors: string }>((done) => {
    child.on('close', () => {
      const lines = output.split('\n').slice(0, -1);
      done({ said: lines.map((line) => JSON.parse(line) as unknown), errors });
    });
  });
  return {
    process: child,
    ended,
    async hasSaid(lines) {
      while (output.split('\n').length <= lines) {
        await once(child.stdout, 'data');
      }
    },
    tell: () => child.stdin.write('go\n'),
  };
}
