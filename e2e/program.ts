/**
 * Starts the packaged program in separate folders, and performs what a user does with it.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { _electron, test as base, type ElectronApplication, type Page } from '@playwright/test';

/** Files of a workspace, by relative path. */
export type Files = Readonly<Record<string, string | Buffer>>;

export interface Folders {
  /** Parent of all folders of one test; deleted afterwards. */
  readonly scratch: string;
  readonly userData: string;
  readonly home: string;
}

export interface RunningProgram {
  readonly app: ElectronApplication;
  readonly page: Page;
}

export interface StartOptions {
  /** Another folder for the user data, so that the program shares nothing with other instances. */
  readonly userData?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** A command that starts the program as another user. */
  readonly launcher?: string;
  /** Enables Chromium's own sandbox, which is not available to root. */
  readonly hasSandbox?: boolean;
}

export interface Program {
  readonly folders: Folders;
  /** Creates a workspace folder with these files. */
  makeWorkspace(files: Files): Promise<string>;
  /**
   * Creates a trusted workspace, which flows need to contact a server on this machine. Call this before the program
   * starts.
   */
  makeTrustedWorkspace(files: Files): Promise<string>;
  /**
   * Opens a workspace in a window of a running program that tests share. For tests that neither end that program or its
   * engine nor change the user's settings.
   */
  open(workspace: string): Promise<RunningProgram>;
  /** Starts the program. A second call starts it again with the same user data. */
  start(args?: readonly string[], options?: StartOptions): Promise<RunningProgram>;
  /**
   * Starts a second process with the same user data while the first one runs. Resolves when the second process has
   * exited.
   */
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

/** Quits the program and confirms that runs may be canceled. */
async function quit(app: ElectronApplication): Promise<void> {
  await app.evaluate(({ dialog }) => {
    dialog.showMessageBox = async () => ({ response: 0, checkboxChecked: false });
  });
  await app.close();
}

async function makeFolders(): Promise<Folders> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'millrace-e2e-'));
  const folders = { scratch, userData: path.join(scratch, 'user-data'), home: path.join(scratch, 'home') };
  await mkdir(folders.home);
  return folders;
}

/** Returns the display of a worker. Parallel tests have separate displays, and so separate clipboards and focus. */
function displayOf(worker: number): Readonly<Record<string, string>> {
  const display = process.env['MILLRACE_DISPLAYS']?.split(' ')[worker];
  return display === undefined ? {} : { DISPLAY: display };
}

async function launch({ scratch, home }: Folders, args: readonly string[], options: StartOptions & { worker: number }) {
  const { userData, env, launcher, hasSandbox = false, worker } = options;
  return _electron.launch({
    executablePath: launcher ?? executableUnderTest(),
    // Animations are disabled: rendering them in software would take an eighth of the time of all tests.
    args: [`--user-data-dir=${userData}`, '--force-prefers-reduced-motion', ...args],
    chromiumSandbox: hasSandbox,
    env: { ...environmentOf({ scratch, home }, worker), ...env },
  });
}

function environmentOf({ scratch, home }: Pick<Folders, 'scratch' | 'home'>, worker: number) {
  return {
    ...process.env,
    ...displayOf(worker),
    MILLRACE_HOME: home,
    MILLRACE_EXAMPLES_DIR: path.join(scratch, 'examples'),
  };
}

/** A program shared by several tests. Each test gets exactly one window of it. */
class SharedProgram {
  readonly #folders: Folders;
  readonly #worker: number;
  #app: ElectronApplication | undefined;

  constructor(folders: Folders, worker: number) {
    this.#folders = folders;
    this.#worker = worker;
  }

  async open(workspace: string): Promise<RunningProgram> {
    if (this.#app === undefined) return this.#start(workspace);
    const app = this.#app;
    // Opens the window as a second start of the program does. Clears the local storage that all workspaces share.
    const [page] = await Promise.all([
      app.waitForEvent('window'),
      app.evaluate(async (electron, folder) => {
        await electron.session.defaultSession.clearStorageData({ storages: ['localstorage'] });
        const former = electron.BrowserWindow.getAllWindows();
        electron.app.once('browser-window-created', () => {
          for (const window of former) window.destroy();
        });
        electron.app.emit('second-instance', {}, [], '', { workspace: folder });
      }, workspace),
    ]);
    return { app, page };
  }

  async #start(workspace: string): Promise<RunningProgram> {
    const { userData } = this.#folders;
    const app = await launch(this.#folders, ['--workspace', workspace], { userData, worker: this.#worker });
    app.on('close', () => {
      this.#app = undefined;
    });
    this.#app = app;
    return { app, page: await app.firstWindow() };
  }

  /** Exits without asking, because the workspaces of unsaved files have been deleted. */
  async end(): Promise<void> {
    const app = this.#app;
    if (app === undefined) return;
    const closed = app.waitForEvent('close');
    await app.evaluate((electron) => electron.app.exit()).catch(() => undefined);
    await closed;
  }
}

/** Returns what the windows of a program show and what it has logged, for diagnosing failures on other machines. */
async function tellOf(app: ElectronApplication): Promise<string> {
  if (app.process().exitCode !== null) return `It ended with exit code ${app.process().exitCode}.`;
  const pages = app.windows().map(async (page) => {
    const shown = page.locator('body').ariaSnapshot({ timeout: 5000 });
    return `${page.url()}\n${await shown.catch((error: unknown) => `Not to be read: ${error}`)}`;
  });
  const log = app
    .evaluate((electron) => electron.app.getPath('userData'))
    .then(async (folder) => {
      const text = await readFile(path.join(folder, 'logs', 'millrace.log'), 'utf8').catch(() => 'There is no log.');
      return text.slice(-8000);
    });
  return (await Promise.all([...pages, log])).join('\n\n');
}

/** `test` with a `program` that starts with no data and leaves none behind. */
export const test = base.extend<{ program: Program }, { sharedProgram: SharedProgram }>({
  sharedProgram: [
    async ({ browserName: _ }, use, { parallelIndex }) => {
      const folders = await makeFolders();
      const shared = new SharedProgram(folders, parallelIndex);
      await use(shared);
      await shared.end();
      await rm(folders.scratch, { recursive: true, force: true });
    },
    { scope: 'worker' },
  ],
  program: async ({ sharedProgram }, use, testInfo) => {
    const worker = testInfo.parallelIndex;
    const folders = await makeFolders();
    const running = new Set<ElectronApplication>();
    const used = new Set<ElectronApplication>();
    const makeWorkspace = async (files: Files): Promise<string> => {
      const folder = await mkdtemp(path.join(folders.scratch, 'workspace-'));
      await writeFiles(folder, files);
      return folder;
    };
    await use({
      folders,
      makeWorkspace,
      async makeTrustedWorkspace(files) {
        const folder = await makeWorkspace(files);
        const list = JSON.stringify({ version: 1, workspaces: [await realpath(folder)] });
        await writeFiles(folders.home, { 'millrace/trusted.json': list });
        return folder;
      },
      async open(workspace) {
        const shown = await sharedProgram.open(workspace);
        used.add(shown.app);
        return shown;
      },
      async start(args = [], options = {}) {
        const app = await launch(folders, args, { userData: folders.userData, ...options, worker });
        running.add(app);
        used.add(app);
        app.on('close', () => running.delete(app));
        return { app, page: await app.firstWindow() };
      },
      async startBeside(args) {
        const flags = ['--no-sandbox', `--user-data-dir=${folders.userData}`];
        await promisify(execFile)(executableUnderTest(), [...flags, ...args], { env: environmentOf(folders, worker) });
      },
    });
    if (testInfo.status !== testInfo.expectedStatus) {
      // Printed because reporters truncate attachments.
      for (const app of used) process.stderr.write(`\n${testInfo.title}:\n${await tellOf(app)}\n`);
    }
    await Promise.all([...running].map(quit));
    // An engine of the shared program may still write to its workspace.
    await rm(folders.scratch, { recursive: true, force: true, maxRetries: 10 });
  },
});
