/**
 * What main answers to a page about unsaved text, versions of files and what was open.
 */
import type { draftContract } from '../../ipc/draft-contract.ts';
import { EngineError } from '../../ipc/engine-base.ts';
import type { Handlers } from '../../ipc/rpc.ts';
import type { Drafts } from './drafts.ts';
import type { DraftUser, WorkspaceDrafts } from './workspace-drafts.ts';

/** A window: the workspace it is on, and the user it is to the drafts. */
export interface DraftWindow {
  /** A real path; null = none. */
  readonly workspace: () => string | null;
  readonly user: DraftUser;
}

/** The handlers of one window. */
export function createDraftHandlers(drafts: Drafts, { workspace, user }: DraftWindow): Handlers<typeof draftContract> {
  const here = (): WorkspaceDrafts => drafts.of(openWorkspace(workspace()));
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
    'session.read': () => ({ state: drafts.readSession(openWorkspace(workspace())) }),
    'session.write': ({ state }) => drafts.writeSession(openWorkspace(workspace()), state),
  };
}

function openWorkspace(workspace: string | null): string {
  if (workspace !== null) return workspace;
  throw new EngineError({
    code: 'workspace.not-open',
    message: 'This window has no folder, so there is nothing to edit. Choose one with File > Open Folder.',
  });
}
