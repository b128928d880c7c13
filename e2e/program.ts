/**
 * The program under test: the packaged one, started with folders of its own, and what its user would do in it.
 */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

export interface Program {
  readonly folders: Folders;
  /** Makes a workspace folder with these files in it. */
  makeWorkspace(files: Files): Promise<string>;
  /** Starts the program; a second call starts it again on the same user data. */
  start(args?: readonly string[]): Promise<RunningProgram>;
}

async function writeFiles(folder: string, files: Files): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(folder, name);
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, content);
  }
}

function executableUnderTest(): string {
  const executable = process.env['MILLRACE_EXECUTABLE'];
  if (executable === undefined) throw new Error('Start these tests with: npm run e2e');
  return executable;
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
    const running = new Set<ElectronApplication>();
    await use({
      folders,
      async makeWorkspace(files) {
        const folder = await mkdtemp(path.join(scratch, 'workspace-'));
        await writeFiles(folder, files);
        return folder;
      },
      async start(args = []) {
        const app = await _electron.launch({
          executablePath: executableUnderTest(),
          args: [`--user-data-dir=${folders.userData}`, ...args],
          env: {
            ...process.env,
            MILLRACE_HOME: folders.home,
            MILLRACE_EXAMPLES_DIR: path.join(scratch, 'examples'),
          },
        });
        running.add(app);
        app.on('close', () => running.delete(app));
        return { app, page: await app.firstWindow() };
      },
    });
    await Promise.all([...running].map((app) => app.close()));
    await rm(scratch, { recursive: true, force: true });
  },
});
