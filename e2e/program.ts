/**
 * The program under test: the packaged one, started with folders of its own, and what its user would do in it.
 */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
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
  /** Makes one that the person trusts, as flows need that ask a server of this machine. Before the program is started. */
  makeTrustedWorkspace(files: Files): Promise<string>;
  /**
   * Shows a workspace in a window of a program that runs already, and that other tests were shown theirs in: for tests
   * that neither end that program or its engine, nor change the person's settings.
   */
  open(workspace: string): Promise<RunningProgram>;
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

async function makeFolders(): Promise<Folders> {
  const scratch = await mkdtemp(path.join(tmpdir(), 'millrace-e2e-'));
  const folders = { scratch, userData: path.join(scratch, 'user-data'), home: path.join(scratch, 'home') };
  await mkdir(folders.home);
  return folders;
}

/** Tests at the same time have displays of their own, and with them a clipboard and a focus. */
function displayOf(worker: number): Readonly<Record<string, string>> {
  const display = process.env['MILLRACE_DISPLAYS']?.split(' ')[worker];
  return display === undefined ? {} : { DISPLAY: display };
}

async function launch({ scratch, home }: Folders, args: readonly string[], options: StartOptions & { worker: number }) {
  const { userData, env, launcher, hasSandbox = false, worker } = options;
  return _electron.launch({
    executablePath: launcher ?? executableUnderTest(),
    // Movement is what a person may do without; drawing it by software would take an eighth of the time of all tests.
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

/** A program that outlives a test: each gets a window of its own, and only that. */
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
    // As a second start of the program does. What windows remember for all workspaces is forgotten before.
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

  /** Without a question: what could be saved has no folder any more. */
  async end(): Promise<void> {
    const app = this.#app;
    if (app === undefined) return;
    const closed = app.waitForEvent('close');
    await app.evaluate((electron) => electron.app.exit()).catch(() => undefined);
    await closed;
  }
}

/** What the windows of a program show and what it has logged, for whoever reads of a failure elsewhere and cannot look. */
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

/** `test` with a `program` that starts from nothing and leaves nothing behind. */
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
      // Printed, as reporters cut what is attached.
      for (const app of used) process.stderr.write(`\n${testInfo.title}:\n${await tellOf(app)}\n`);
    }
    await Promise.all([...running].map(quit));
    // An engine of the shared program may still write into its workspace.
    await rm(folders.scratch, { recursive: true, force: true, maxRetries: 10 });
  },
});
