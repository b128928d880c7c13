/**
 * Stores all editing data by workspace: unsaved text, earlier versions, pins, breakpoints and window sessions.
 */

import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { breakpointsOfFlows, type draftContract, type SessionState } from '../../ipc/contracts/draft-contract.ts';
import { type Clock, EngineError } from '../../ipc/engine-base.ts';
import { pinnedOutputs } from '../../ipc/pinned-outputs.ts';
import type { RpcHandlers } from '../../ipc/rpc.ts';
import { readOwnFile, writeOwnFile } from '../own-file.ts';
import { JournalFolder } from './journal-folder.ts';
import { JournalSync } from './journal-sync.ts';
import { LocalHistory } from './local-history.ts';
import { makePrivateFolder, nameFor, privateFileMode } from './private-folder.ts';
import { type DraftUser, WorkspaceDrafts } from './workspace-drafts.ts';

/** Milliseconds without a change after which a journal without unsaved text is deleted. */
const idleMs = 30 * 24 * 60 * 60 * 1000;

const sessionFile = z.object({ state: z.json() });

export class Drafts {
  readonly pins: PinnedFiles;
  readonly breakpoints: StoredBreakpoints;
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #sync: JournalSync;
  readonly #workspaces = new Map<string, WorkspaceDrafts>();
  readonly #listeners = new Set<() => void>();

  /** @param folder the user's data folder for the program */
  constructor(folder: string, clock: Clock, sync = new JournalSync(clock)) {
    this.pins = new PinnedFiles(path.join(folder, 'pins'));
    this.breakpoints = new StoredBreakpoints(path.join(folder, 'breakpoints'));
    this.#folder = folder;
    this.#clock = clock;
    this.#sync = sync;
  }

  /** Returns the drafts of a workspace. @param workspace its path with symbolic links resolved */
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

  /** Flushes journals to disk. Resolves when done. */
  store(): Promise<void> {
    return this.#sync.flush();
  }

  /** Like `store`, but synchronous, for the end of the program. */
  storeNow(): void {
    this.#sync.flushNow();
  }

  /** Removes a window from the users of all files in all workspaces. @throws the system's error */
  leave(user: DraftUser): void {
    for (const drafts of this.#workspaces.values()) drafts.leave(user);
  }

  /** Returns the files with unsaved text that windows show. */
  unsavedOnScreen(): UnsavedFile[] {
    return [...this.#workspaces.values()].flatMap((drafts) =>
      drafts.unsavedOnScreen().map(({ path: file, users }) => ({ path: file, users, drafts })),
    );
  }

  /** Calls `listener` whenever a file may have become saved or unsaved. Returns a function that unsubscribes. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Returns the state that a window on the workspace last stored; null if there is no readable state. @throws the
   * system's error
   */
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

  /** Deletes unneeded journals of all workspaces, ignoring errors. */
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

type StoredPins = z.output<typeof pinnedOutputs>;

const pinsFile = z.object({ pins: pinnedOutputs });

/**
 * Stores the outputs that the user has pinned to nodes, by workspace and flow. Pins belong to the user, so they are not
 * stored in the flow's file.
 */
class PinnedFiles {
  readonly #folder: string;

  /** @param folder contains a folder for each workspace, with a file for each flow that has pins */
  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns no pins if the file is invalid. @throws the system's error */
  read(workspace: string, flow: string): StoredPins {
    try {
      const text = readOwnFile(this.#fileOf(workspace, flow));
      return text === undefined ? {} : pinsFile.parse(JSON.parse(text)).pins;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError) return {};
      throw error;
    }
  }

  /** Deletes the file if `pins` is empty. @throws EngineError `pins.not-written` */
  write(workspace: string, flow: string, pins: StoredPins): void {
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

type FlowBreakpoints = z.output<typeof breakpointsOfFlows>;

const breakpointsFile = z.object({ flows: breakpointsOfFlows });

/** Stores the user's breakpoints, one file for each workspace, because runs also stop in flows that no tab shows. */
class StoredBreakpoints {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns no breakpoints if the file is invalid. @throws the system's error */
  read(workspace: string): FlowBreakpoints {
    try {
      const text = readOwnFile(this.#fileOf(workspace));
      return text === undefined ? {} : breakpointsFile.parse(JSON.parse(text)).flows;
    } catch (error) {
      if (error instanceof SyntaxError || error instanceof z.ZodError) return {};
      throw error;
    }
  }

  /** Replaces the breakpoints of a flow. @throws EngineError `breakpoints.not-written` */
  write(workspace: string, flow: string, breakpoints: FlowBreakpoints[string]): void {
    try {
      const { [flow]: _before, ...others } = this.read(workspace);
      const flows = breakpoints.length === 0 ? others : { ...others, [flow]: breakpoints };
      makePrivateFolder(this.#folder);
      writeOwnFile(this.#fileOf(workspace), `${JSON.stringify({ workspace, flows })}\n`, privateFileMode);
    } catch (cause) {
      throw notKept('breakpoints.not-written', 'Your breakpoints', cause);
    }
  }

  #fileOf(workspace: string): string {
    return path.join(this.#folder, `${nameFor(workspace)}.json`);
  }
}

type NotKeptCode = `${'session' | 'pins' | 'breakpoints'}.not-written`;

function notKept(code: NotKeptCode, what: string, cause: unknown): EngineError {
  const message = `${what} could not be kept for the next start: ${cause}. Make room on the disk of your user folder.`;
  return new EngineError({ code, message, recoverable: true, cause });
}

/** A file with unsaved text. */
export interface UnsavedFile {
  /** Path inside the workspace of `drafts`. */
  readonly path: string;
  /** The windows that show it. */
  readonly users: ReadonlySet<DraftUser>;
  readonly drafts: WorkspaceDrafts;
}

/** A window: its workspace, and its identity as a user of drafts. */
interface DraftWindow {
  /** Path with symbolic links resolved; null without a workspace. */
  readonly workspace: () => string | null;
  readonly user: DraftUser;
}

/** Creates the handlers of one window. */
export function createDraftHandlers(
  drafts: Drafts,
  { workspace, user }: DraftWindow,
): RpcHandlers<typeof draftContract> {
  const here = (): WorkspaceDrafts => drafts.of(openWorkspace(workspace()));
  /** Workspaces whose session a page of this window has read. */
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
    'breakpoints.read': () => ({ flows: drafts.breakpoints.read(openWorkspace(workspace())) }),
    'breakpoints.write': ({ path, breakpoints }) =>
      drafts.breakpoints.write(openWorkspace(workspace()), path, breakpoints),
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
