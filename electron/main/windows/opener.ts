/**
 * Opens the items that the system or a link requests: finds a file's workspace, asks the user about items they did not
 * choose themselves, and passes the item to a window.
 */
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { ThingToOpen } from '../../ipc/contracts/main-contract.ts';
import { EngineError, type RunId } from '../../ipc/engine-base.ts';
import type { CommandLine } from '../command-line.ts';
import { type AskConsent, homeQuestion, linkedFolderQuestion } from '../consent/consent.ts';
import { text } from '../text.ts';
import { holdsHome, resolveWorkspace, type WindowWorkspace, workspaceAround } from '../workspace-folder.ts';
import { type OpenRequest, readOpenRequest } from './open-request.ts';

/** The window members that are needed to open items in it. */
export interface OpenerWindow {
  /** Shows the window in front of all others. */
  bringToFront(): void;
  offer(things: readonly ThingToOpen[]): void;
}

interface OpenerParts {
  /** Path of the user's home folder, with symbolic links resolved. */
  readonly home: string;
  /** Returns a window that shows this folder; without a folder, any window that shows one. */
  findWindow(workspace?: string): OpenerWindow | undefined;
  openWindow(content: WindowWorkspace): OpenerWindow;
  hasWindows(): boolean;
  /** Returns the initial content of a window for `--workspace`, or the default. */
  chooseStart(requested: string | null): Promise<WindowWorkspace>;
  readonly consent: AskConsent;
}

export interface Opener {
  /** Opens the items requested by a start of the program. Afterwards, at least one window exists. */
  begin(wish: CommandLine): Promise<void>;
  /** Opens a file (absolute path) or a link. Never rejects: errors are shown in a window. */
  open(argument: string): Promise<void>;
}

export function createOpener(parts: OpenerParts): Opener {
  const openStart = async (requested: string | null): Promise<void> => {
    parts.openWindow(await parts.chooseStart(requested));
  };
  const openOne = async (argument: string): Promise<void> => {
    const request = readOpenRequest(argument, parts.home);
    if (request === undefined) {
      process.stderr.write(
        `millrace: a link was refused, which names no workspace or pack: ${JSON.stringify(argument)}\n`,
      );
      return;
    }
    try {
      await open(parts, request);
    } catch (error) {
      const problem = EngineError.is(error) ? error.message : notOpened(argument, error);
      parts.openWindow({ workspace: null, problem });
    }
  };
  return {
    open: openOne,
    async begin({ workspace, open: things }) {
      if (workspace !== null || things.length === 0) await openStart(workspace);
      for (const argument of things) await openOne(argument);
      // No window is open if, for example, the user declined a link.
      if (!parts.hasWindows()) await openStart(null);
    },
  };
}

async function open(parts: OpenerParts, request: OpenRequest): Promise<void> {
  if (request.kind === 'folder-link') return await openLinkedFolder(parts, request.path);
  if (request.kind === 'run-link') return await openLinkedRun(parts, request);
  if (request.kind === 'file') return await openFile(parts, request.path);
  const uri = request.kind === 'pack-link' ? request.uri : await realpath(request.path);
  // The page only shows the pack. It is installed when the user confirms there and in a system dialog.
  const window = parts.findWindow() ?? parts.openWindow(await parts.chooseStart(null));
  window.bringToFront();
  window.offer([{ kind: 'pack', uri }]);
}

async function openFile(parts: OpenerParts, file: string): Promise<void> {
  const real = await realpath(file);
  const workspace = await workspaceAround(real);
  if (holdsHome(workspace, parts.home) && !(await parts.consent(homeQuestion(workspace)))) return;
  const relative = path.relative(workspace, real).split(path.sep).join('/');
  const window = parts.findWindow(workspace) ?? parts.openWindow({ workspace });
  window.bringToFront();
  window.offer([{ kind: 'file', path: relative }]);
}

async function openLinkedFolder(parts: OpenerParts, folder: string): Promise<void> {
  const workspace = await resolveWorkspace(folder);
  if (await mayOpenLinked(parts, workspace)) {
    (parts.findWindow(workspace) ?? parts.openWindow({ workspace })).bringToFront();
  }
}

async function mayOpenLinked({ home, consent }: OpenerParts, workspace: string): Promise<boolean> {
  return await consent(holdsHome(workspace, home) ? homeQuestion(workspace) : linkedFolderQuestion(workspace));
}

/**
 * Only shows the run, because following a link must never answer a request. A folder that is already open needs no
 * confirmation.
 */
async function openLinkedRun(parts: OpenerParts, { path: folder, runId, nodeId }: RunLink): Promise<void> {
  const workspace = await resolveWorkspace(folder);
  let window = parts.findWindow(workspace);
  if (window === undefined) {
    if (!(await mayOpenLinked(parts, workspace))) return;
    window = parts.openWindow({ workspace });
  }
  window.bringToFront();
  window.offer([{ kind: 'run', runId: runId as RunId, nodeId }]);
}

type RunLink = Extract<OpenRequest, { kind: 'run-link' }>;

function notOpened(what: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  return text().workspace.notOpened({ what, reason });
}
