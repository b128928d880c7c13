/**
 * Files of the workspace, as a host program reads and changes them. What does the work is loaded when it is first asked
 * for: a command line that runs one flow needs none of it.
 */
import type { Clock } from '../base/clock.ts';
import type { FileEngine } from '../executor/file-api.ts';
import type { NodeTypeCatalog } from '../flowspec/node-type-spec.ts';

export interface FilePartsWorld {
  /** Absolute. */
  readonly workspace: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly catalog: NodeTypeCatalog;
  /** Absolute; without it the program has no examples. */
  readonly examplesFolder?: string;
}

/** Makes the part of an engine that has to do with files. */
export function createFileParts(world: FilePartsWorld): Omit<FileEngine, 'watchFiles'> {
  const { workspace } = world;
  const texts = () => import('../files/workspace-texts.ts');
  const places = () => import('../files/place-files.ts');
  const creation = async () => (await import('./create-parts.ts')).createCreateParts(world);
  const inTurn = createTurns();
  return {
    listFolder: async (folder) => (await import('../files/list-folder.ts')).listFolder(workspace, folder),
    findFiles: async () => (await import('../files/walk-files.ts')).findFiles(workspace),
    async searchFiles(request, signal) {
      const { searchFiles } = await import('../files/search-files.ts');
      return searchFiles(workspace, request, { clock: world.clock, signal });
    },
    async readGit() {
      const { readGitBranch, readGitChanges } = await import('../files/git-changes.ts');
      const [branch, changes] = await Promise.all([readGitBranch(workspace), readGitChanges(workspace, ['.'])]);
      return branch === null || changes === null ? null : { branch, changed: changes.size };
    },
    readFile: async (path) => (await texts()).readWorkspaceText(workspace, path),
    writeFile: (request) => inTurn(async () => (await texts()).writeWorkspaceText(workspace, request)),
    createFile: (request) => inTurn(async () => (await places()).createEntry(workspace, request)),
    renameFile: (request) => inTurn(async () => (await places()).renameEntry(workspace, request)),
    duplicateFile: async (path) => ({ path: await (await places()).duplicateEntry(workspace, path) }),
    async trashFile(path) {
      const [{ resolveEntry }, { moveToTrash }] = await Promise.all([
        import('../files/place-files.ts'),
        import('../files/trash.ts'),
      ]);
      const { real } = await resolveEntry(workspace, path);
      await moveToTrash(real, world);
    },
    createFlow: (request) => inTurn(async () => (await creation()).createFlow(request)),
    createAgent: (request) => inTurn(async () => (await creation()).createAgent(request)),
    createPack: (request) => inTurn(async () => (await creation()).createPack(request)),
    listExamples: async () => (await creation()).listExamples(),
  };
}

/** One after the other, so that nothing comes between the look at what is there and the change. */
function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
