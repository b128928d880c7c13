/**
 * The program under test: the packaged one, started with folders of its own, and what its user would do in it.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { _electron, test as base, type ElectronApplication, type Page } from '@playwright/test';

/** Files of a workspace, by path relative to it. */
export type Files = Readonly<Record<string, string | Buffer>>;

export interface Folders {
  /** Parent of all folders of one test; removed afterwards. */
  readonly scratch: string;
  readonly userData: string;
  readonly home: string;
}

export interface RunningProgram {
  readonly app: ElectronApplication;
  readonly page: Page;
}

export interface StartOptions {
  /** Another folder for the user's data: the program then knows nothing of the others. */
  readonly userData?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A program that starts the program, for another user. */
  readonly launcher?: string;
  /** With Chromium's own sandbox, which root cannot have. */
  readonly hasSandbox?: boolean;
}

export interface Program {
  readonly folders: Folders;
  /** Makes a workspace folder with these files in it. */
  makeWorkspace(files: Files): Promise<string>;
  /** Starts the program; a second call starts it again on the same user data. */
  start(args?: readonly string[], options?: StartOptions): Promise<RunningProgram>;
  /** Starts it while it runs with the same user data. Resolves when this second process has ended. */
  startBeside(args: readonly string[]): Promise<void>;
}

async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

export function executableUnderTest(): string {
  const executable = process.env['MILLRACE_EXECUTABLE'];
  if (executable === undefined) throw new Error('Start these tests with: npm run e2e');
  return executable;
}

/** Quits; a question whether runs may be cancelled is answered with yes. */
async function quit(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
  });
  await app.close();
}

/** `test` with a `program` that starts from nothing and leaves nothing behind. */
export const test = base.extend<{ program: Program }>({
  program: async ({ browserName: _ }, use) => {
    const scratch = await mkdtemp(path.join(tmpdir(), 'millrace-e2e-'));
    const folders: Folders = {
      scratch,
      userData: path.join(scratch, 'user-data'),
      home: path.join(scratch, 'home'),
    };
    await mkdir(folders.home);
    const environment = {
      ...process.env,
      MILLRACE_HOME: folders.home,
      MILLRACE_EXAMPLES_DIR: path.join(scratch, 'examples'),
    };
    const running = new Set<ElectronApplication>();
    await use({
      folders,
      async makeWorkspace(files) {
        const folder = await mkdtemp(path.join(scratch, 'workspace-'));
        await writeFiles(folder, files);
        return folder;
      },
      async start(args = [], { userData = folders.userData, env = {}, launcher, hasSandbox = false } = {}) {
        const app = await _electron.launch({
          executablePath: launcher ?? executableUnderTest(),
          args: [`--user-data-dir=${userData}`, ...args],
          chromiumSandbox: hasSandbox,
          env: { ...environment, ...env },
        });
        running.add(app);
        app.on('close', () => running.delete(app));
        return { app, page: await app.firstWindow() };
      },
      async startBeside(args) {
        const flags = ['--no-sandbox', `--user-data-dir=${folders.userData}`];
        await promisify(execFile)(executableUnderTest(), [...flags, ...args], { env: environment });
      },
    });
    await Promise.all([...running].map(quit));
    await rm(scratch, { recursive: true, force: true });
  },
});
