/**
 * An external program that has the library installed from its package.
 */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const root = path.resolve(import.meta.dirname, '../..');

export interface LibraryConsumer {
  /** Absolute path of the installed package. */
  readonly packageFolder: string;
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

/** Creates an empty program that has installed the package of `npm run package:library`, without network access. */
export async function createLibraryConsumer(): Promise<LibraryConsumer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'millrace-consumer-'));
  await installLibrary(folder);
  const config = { compilerOptions, include: ['*.ts'] };
  writeFileSync(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const installed = path.join(folder, 'node_modules', 'millrace');
  return {
    packageFolder: installed,
    write: (name, text) => writeFileSync(path.join(folder, name), text),
    compile: async () => (await runNode([compiler, '-p', folder], root)).stdout,
    run(name) {
      const cwd = mkdtempSync(path.join(folder, 'workspace-'));
      return runNode([path.join(folder, 'out', name.replace(/\.ts$/, '.js'))], cwd);
    },
    loadedFiles: () => {
      const entry = path.join(installed, 'out/library/millrace.js');
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

/** Packages that the library depends on come from the repository, because there may be no network. */
async function installLibrary(folder: string): Promise<void> {
  const run = promisify(execFile);
  await run(process.execPath, [path.join(root, 'tools/run.mjs'), 'package-library', folder]);
  const { version } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string };
  const local = (name: string): string => `file:${path.join(root, 'node_modules', name)}`;
  const manifest = {
    type: 'module',
    dependencies: { millrace: `file:millrace-${version}.tgz`, '@types/node': local('@types/node') },
    overrides: Object.fromEntries(['zod', '@photostructure/sqlite'].map((name) => [name, local(name)])),
  };
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify(manifest));
  const offline = ['--offline', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...offline], { cwd: folder, shell: process.platform === 'win32' });
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
