/**
 * An external program that has the library installed: the output of `npm run build` in a separate `node_modules`
 * folder.
 */
import { spawn } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { builtPart } from './built-program.ts';

const root = path.resolve(import.meta.dirname, '../..');

export interface LibraryConsumer {
  /** Writes a source file of the program. */
  write(name: string, text: string): void;
  /** Compiles all source files. @returns the compiler's errors; empty on success */
  compile(): Promise<string>;
  /** Runs a compiled file in a separate process, in a new folder. */
  run(name: string): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }>;
  /** Returns the text of every file loaded by importing the library: its entry point, and all of its static imports. */
  loadedFiles(): readonly string[];
  /** Deletes the program and the library. */
  remove(): void;
}

/** Creates an empty program that can import the built library. */
export async function createLibraryConsumer(): Promise<LibraryConsumer> {
  // Inside the repository, so that the library's external packages are found.
  mkdirSync(path.join(root, '.cache'), { recursive: true });
  const folder = mkdtempSync(path.join(root, '.cache', 'consumer-'));
  await installLibrary(path.join(folder, 'node_modules', 'millrace'));
  const config = { compilerOptions, include: ['*.ts'] };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  return {
    write: (name, text) => writeFileSync(path.join(folder, name), text),
    compile: async () => (await runNode([compiler, '-p', folder], root)).stdout,
    run(name) {
      const cwd = mkdtempSync(path.join(folder, 'workspace-'));
      return runNode([path.join(folder, 'out', name.replace(/\.ts$/, '.js'))], cwd);
    },
    loadedFiles: () => {
      const entry = path.join(folder, 'node_modules/millrace/out/library/millrace.js');
      return [...withImports(entry)].map((file) => readFileSync(file, 'utf8'));
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

function withImports(file: string, found = new Set<string>()): ReadonlySet<string> {
  if (found.has(file)) return found;
  found.add(file);
  for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export) .*"(\.[^"]+)";$/gm)) {
    withImports(path.resolve(path.dirname(file), target), found);
  }
  return found;
}

const compiler = path.join(root, 'node_modules/typescript/bin/tsc');

/** Strict options, because the declarations must compile in any program. */
const compilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  module: 'nodenext',
  target: 'es2022',
  types: ['node'],
  rootDir: '.',
  outDir: 'out',
};

async function installLibrary(folder: string): Promise<void> {
  cpSync(await builtPart('library'), path.join(folder, 'out', 'library'), { recursive: true });
  copyFileSync(path.join(root, 'package.json'), path.join(folder, 'package.json'));
}

function runNode(args: readonly string[], cwd: string) {
  const env = { ...process.env, MILLRACE_HOME: path.join(cwd, 'no-home'), NO_COLOR: '1' };
  const child = spawn(process.execPath, args, { cwd, env });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
