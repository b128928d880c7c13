/**
 * The files of sent runs that windows show. Each has an empty folder in the user's data folder, which represents it
 * wherever the program expects a folder. They are forgotten when the program ends.
 */
import { createHash } from 'node:crypto';
import { mkdirSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { OpenDialogOptions, OpenDialogReturnValue } from 'electron';
import type { mainContract } from '../../ipc/contracts/main-contract.ts';
import type { RpcHandlers } from '../../ipc/rpc.ts';
import { text } from '../text.ts';
import type { AppWindow } from '../windows/app-window.ts';
import type { WindowWorkspace } from '../workspace-folder.ts';

export class SentRuns {
  readonly #root: string;
  readonly #files = new Map<string, string>();

  /** @param folder the user's data folder */
  constructor(folder: string) {
    mkdirSync(folder, { recursive: true });
    this.#root = path.join(realpathSync(folder), 'sent');
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** Creates the folder that represents a file, and returns its path. */
  folderOf(file: string): string {
    const hash = createHash('sha256').update(file).digest('hex').slice(0, 16);
    // Panels of the window show the name of the folder.
    const name = path
      .basename(file)
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .slice(-80);
    const folder = path.join(this.#root, hash, name);
    mkdirSync(folder, { recursive: true });
    this.#files.set(folder, file);
    return folder;
  }

  /** Returns the file that a folder represents; undefined for other folders. */
  find(folder: string | null): string | undefined {
    return folder === null ? undefined : this.#files.get(folder);
  }
}

type SentHandlers = Pick<RpcHandlers<typeof mainContract>, 'sent.choose' | 'sent.open'>;

/** The windows of the program. */
interface SentWindows {
  readonly remotes: { readonly sent: SentRuns };
  findWindow(workspace: string): AppWindow | undefined;
  openWindow(content: WindowWorkspace): AppWindow;
}

/** Each run has a separate window. @param choose shows the system's dialog for a file */
export function sentHandlers(
  program: SentWindows,
  choose: (options: OpenDialogOptions) => Promise<OpenDialogReturnValue>,
): SentHandlers {
  const open = (file: string): void => {
    const workspace = program.remotes.sent.folderOf(file);
    (program.findWindow(workspace) ?? program.openWindow({ workspace })).bringToFront();
  };
  return {
    'sent.choose': async () => {
      const { filePaths } = await choose({
        title: text().files.openSentRun,
        properties: ['openFile'],
        filters: [{ name: text().files.json, extensions: ['json'] }],
      });
      const [file] = filePaths;
      if (file !== undefined) open(file);
      return { opened: file !== undefined };
    },
    'sent.open': ({ path: file }) => open(path.resolve(file)),
  };
}
