/**
 * All that is kept for the editing of files: unsaved texts, older versions and what windows had open, by workspace.
 */

import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { draftContract, SessionState } from '../../ipc/draft-contract.ts';
import { type Clock, EngineError } from '../../ipc/engine-base.ts';
import { pinnedOutputs } from '../../ipc/pinned-outputs.ts';
import type { Handlers } from '../../ipc/rpc.ts';
import { readOwnFile, writeOwnFile } from '../own-file.ts';
import { JournalFolder } from './journal-folder.ts';
import { JournalSync } from './journal-sync.ts';
import { LocalHistory } from './local-history.ts';
import { makePrivateFolder, nameFor, privateFileMode } from './private-folder.ts';
import { type DraftUser, WorkspaceDrafts } from './workspace-drafts.ts';

/** Journals without unsaved text that nobody touched for so long are removed. */
const idleMs = 30 * 24 * 60 * 60 * 1000;

const sessionFile = z.object({ state: z.json() });

export class Drafts {
  readonly pins: PinnedFiles;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #sync: JournalSync;
  readonly #workspaces = new Map<string, WorkspaceDrafts>();
  readonly #listeners = new Set<() => void>();

  /** @param folder the person's data folder of the program */
  constructor(folder: string, clock: Clock, sync = new JournalSync(clock)) {
    this.pins = new PinnedFiles(path.join(folder, 'pins'));
    this.#folder = folder;
    this.#clock = clock;
    this.#sync = sync;
  }

  /** Those of a workspace. @param workspace its real path */
  of(workspace: string): WorkspaceDrafts {
    const known = this.#workspaces.get(workspace);
    if (known !== undefined) return known;
    const name = nameFor(workspace);
    const made = new WorkspaceDrafts({
      folder: path.join(this.#folder, 'drafts', name),
      history: new LocalHistory(path.join(this.#folder, 'versions', name), this.#clock),
      clock: this.#clock,
      sync: this.#sync,
      onChange: () => {
        for (const listener of this.#listeners) listener();
      },
    });
    this.#workspaces.set(workspace, made);
    return made;
  }

  /** Has the disk store what was written of journals. Resolves when it has. */
  store(): Promise<void> {
    return this.#sync.flush();
  }

  /** As `store`, before it returns: the program ends. */
  storeNow(): void {
    this.#sync.flushNow();
  }

  /** A window shows no file any more, of whichever workspace. @throws the system's error */
  leave(user: DraftUser): void {
    for (const drafts of this.#workspaces.values()) drafts.leave(user);
  }

  /** Files with unsaved text that windows show. */
  unsavedOnScreen(): UnsavedFile[] {
    return [...this.#workspaces.values()].flatMap((drafts) =>
      drafts.unsavedOnScreen().map(({ path: file, users }) => ({ path: file, users, drafts })),
    );
  }

  /** Calls `listener` whenever texts may have become saved or unsaved. Returns the subscription's end. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What a window on the workspace last kept; null = nothing that can be read. @throws the system's error */
  readSession(workspace: string): SessionState | null {
    try {
      const text = readOwnFile(this.#sessionOf(workspace));
      return text === undefined ? null : (sessionFile.parse(JSON.parse(text)).state as SessionState);
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
      throw error;
    }
  }

  /** @throws EngineError `session.not-written` */
  writeSession(workspace: string, state: SessionState): void {
    const file = this.#sessionOf(workspace);
    try {
      makePrivateFolder(path.dirname(file));
      writeOwnFile(file, `${JSON.stringify({ workspace, state })}\n`, privateFileMode);
    } catch (cause) {
      throw notKept('session.not-written', 'What is open', cause);
    }
  }

  /** Removes journals of all workspaces that are of no use any more, as far as that can be done. */
  tidy(): void {
    const folder = path.join(this.#folder, 'drafts');
    try {
      makePrivateFolder(folder);
      for (const { name } of readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
        new JournalFolder(path.join(folder, name)).removeIdle(this.#clock.now() - idleMs);
      }
    } catch (error) {
      process.stderr.write(`millrace: old journals were not removed: ${error}\n`);
    }
  }

  #sessionOf(workspace: string): string {
    return path.join(this.#folder, 'sessions', `${nameFor(workspace)}.json`);
  }
}

type Pins = z.output<typeof pinnedOutputs>;

const pinsFile = z.object({ pins: pinnedOutputs });

/**
 * Outputs that the person has pinned to nodes, by workspace and flow: they are the person's, not the flow's, and stay out of its file.
 */
class PinnedFiles {
  readonly #folder: string;

  /** @param folder holds a folder for each workspace, and in it a file for each flow that has any */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Nothing, when what lies there cannot be understood. @throws the system's error */
  read(workspace: string, flow: string): Pins {
    try {
      const text = readOwnFile(this.#fileOf(workspace, flow));
      return text === undefined ? {} : pinsFile.parse(JSON.parse(text)).pins;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError) return {};
      throw error;
    }
  }

  /** Without any, the file goes. @throws EngineError `pins.not-written` */
  write(workspace: string, flow: string, pins: Pins): void {
    const file = this.#fileOf(workspace, flow);
    try {
      if (Object.keys(pins).length === 0) {
        rmSync(file, { force: true });
        return;
      }
      makePrivateFolder(path.dirname(file));
      writeOwnFile(file, JSON.stringify({ workspace, flow, pins }), privateFileMode);
    } catch (cause) {
      throw notKept('pins.not-written', 'What is pinned', cause);
    }
  }

  #fileOf(workspace: string, flow: string): string {
    return path.join(this.#folder, nameFor(workspace), `${nameFor(flow)}.json`);
  }
}

function notKept(code: 'session.not-written' | 'pins.not-written', what: string, cause: unknown): EngineError {
  const message = `${what} could not be kept for the next start: ${cause}. Make room on the disk of your user folder.`;
  return new EngineError({ code, message, recoverable: true, cause });
}

/** A file with text that was not saved. */
export interface UnsavedFile {
  /** Inside the workspace of `drafts`. */
  readonly path: string;
  /** The windows that show it. */
  readonly users: ReadonlySet<DraftUser>;
  readonly drafts: WorkspaceDrafts;
}

/** A window: the workspace it is on, and the user it is to the drafts. */
interface DraftWindow {
  /** A real path; null = none. */
  readonly workspace: () => string | null;
  readonly user: DraftUser;
}

/** The handlers of one window. */
export function createDraftHandlers(drafts: Drafts, { workspace, user }: DraftWindow): Handlers<typeof draftContract> {
  const here = (): WorkspaceDrafts => drafts.of(openWorkspace(workspace()));
  /** Workspaces that pages of this window have read the session of. */
  const readSessions = new Set<string>();
  return {
    'draft.open': (params) => here().open(user, params),
    'draft.step': (params) => here().step(user, params),
    'draft.unkept': ({ paths }) => here().setUnkept(user, paths),
    'draft.close': ({ path }) => here().close(user, path),
    'draft.unsaved': () => ({ files: here().unsaved() }),
    'draft.move': (params) => here().move(user, params),
    'draft.forget': ({ path }) => here().forget(path),
    'versions.list': ({ path }) => ({ versions: here().history.list(path) }),
    'versions.read': ({ path, id }) => ({ text: here().history.read(path, id) }),
    'pins.read': ({ path }) => ({ pins: drafts.pins.read(openWorkspace(workspace()), path) }),
    'pins.write': ({ path, pins }) => drafts.pins.write(openWorkspace(workspace()), path, pins),
    'session.read': () => {
      const folder = openWorkspace(workspace());
      readSessions.add(folder);
      return { workspace: folder, state: drafts.readSession(folder) };
    },
    'session.write': ({ workspace: folder, state }) => {
      if (!readSessions.has(folder)) throw sessionNotRead(folder);
      drafts.writeSession(folder, state);
    },
  };
}

function sessionNotRead(folder: string): EngineError {
  return new EngineError({
    code: 'session.not-read',
    message: `This window has not shown ${folder}, so it cannot save open tabs for it. Open that folder in this window first.`,
  });
}

function openWorkspace(workspace: string | null): string {
  if (workspace !== null) return workspace;
  throw new EngineError({
    code: 'workspace.not-open',
    message: 'This window has no folder, so there is nothing to edit. Choose one with File > Open Folder.',
  });
}
