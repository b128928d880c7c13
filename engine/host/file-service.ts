/**
 * Files of the workspace, as a host program reads and changes them. What does the work is loaded when it is first asked
 * for: a command line that runs one flow needs none of it.
 */
import type { Clock } from '../base/clock.ts';
import type { SearchAnswer, SearchRequest } from '../files/search-files.ts';
import type { NodeTypeCatalog } from '../flowspec/node-type-spec.ts';
import type { SchemaFile } from '../flowspec/schema-files.ts';
import type { FileCreation } from './create-files.ts';

/** What lies in a folder of the workspace. */
export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /** How it differs from git's HEAD; a folder is `modified` when anything below it differs. Null = not, or no git. */
  readonly change: 'modified' | 'untracked' | null;
  /** Of a folder: how many entries it has. Absent where nobody counted, in folders with very many folders. */
  readonly count?: number;
}

/** Files that appeared, changed or went. */
export interface FileChange {
  /** Sorted; that of a folder stands for all below it. Empty when anything may have changed: git's view, or files before the watch began. */
  readonly paths: readonly string[];
  /** False: only the contents of files changed, so that listings still hold. */
  readonly isTree: boolean;
}

/** A text that is to stand in a file. */
export interface WriteFile {
  readonly path: string;
  readonly text: string;
  /** What the caller believes to stand there; null = nothing does. Absent = whatever stands there is replaced. */
  readonly expected?: string | null;
}

/** Files of the workspace. */
export interface FileEngine extends FileCreation {
  /**
   * One folder (`''` = the workspace), folders first, in natural order. Git's folder, `node_modules` and what runs leave
   * are left out. At most 5,000 entries. @throws EngineError `files.not-found` | `files.no-folder`
   */
  listFolder(folder: string): Promise<{ readonly entries: readonly FolderEntry[]; readonly isCut: boolean }>;
  /** All files but those that git ignores, in path order; at most 20,000, those nearest to the workspace first. */
  findFiles(): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean }>;
  /**
   * How many files a glob of a flow stands for, by the rules of `file.read`: also those that git ignores.
   * @throws EngineError `files.outside` | `files.bad-glob`; the signal's reason
   */
  countMatches(glob: string, signal: AbortSignal): Promise<{ readonly count: number }>;
  /**
   * Looks for something in the texts of the files that `findFiles` gives, line by line. What is no text, larger than 2 MiB or
   * a link is left out; at most 2,000 matches, 2 seconds for one file and 20 for all (`end` tells).
   * @throws EngineError `files.bad-pattern` for a regular expression or glob that is none; `files.search-failed`; the
   *   signal's reason
   */
  searchFiles(request: SearchRequest, signal: AbortSignal): Promise<SearchAnswer>;
  /** Git's branch, and how many files differ from the last commit; null without git or a repository. */
  readGit(): Promise<{ readonly branch: string; readonly changed: number } | null>;
  /**
   * A file's text, byte for byte: a byte order mark is U+FEFF, line ends are as they are.
   * @throws EngineError `files.not-found` | `files.not-text` | `files.too-large` (over 16 MiB) | `files.not-readable`
   */
  readFile(path: string): Promise<{ readonly text: string; readonly isWritable: boolean }>;
  /**
   * A small picture by what it holds, as a `data:` address.
   * @throws EngineError `files.not-found` | `files.not-picture` | `files.too-large` (over 2 MiB) | `files.not-readable`
   */
  readPicture(path: string): Promise<{ readonly address: string }>;
  /**
   * Replaces a file in one step, or makes it and its folders.
   * @throws EngineError `files.changed` when something else than `expected` stands there, with `{ text }` of it (null =
   *   nothing) as `details`; `files.not-text` for a text that UTF-8 cannot hold or a file that is none; `files.too-large`
   *   | `files.not-writable`
   */
  writeFile(request: WriteFile): Promise<void>;
  /** Makes a file or a folder, and the folders around it. @throws EngineError `files.exists` | `files.bad-name` */
  createFile(request: {
    readonly path: string;
    readonly kind: 'file' | 'folder';
    readonly text?: string;
  }): Promise<void>;
  /**
   * Moves a file, a folder or a link; nothing is ever replaced.
   * @throws EngineError `files.exists` | `files.bad-name` | `files.not-found`
   */
  renameFile(request: { readonly from: string; readonly to: string }): Promise<void>;
  /** Copies a file or a folder beside itself, under a name that is free. @throws EngineError `files.not-found` */
  duplicateFile(path: string): Promise<{ readonly path: string }>;
  /** Moves a file, a folder or a link to the system's trash. @throws EngineError `files.not-found` | `files.no-trash` */
  trashFile(path: string): Promise<void>;
  /** Tells, shortly after the last of several changes, which files changed. Returns the subscription's end. */
  watchFiles(listener: (change: FileChange) => void): () => void;
}

export interface FileServiceOptions {
  /** Absolute. */
  readonly workspace: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly catalog: NodeTypeCatalog;
  readonly readAgentType?: (type: string) => Promise<SchemaFile>;
  /** What is kept for paths goes along with a new name. */
  readonly onRenamed?: (request: { readonly from: string; readonly to: string }) => Promise<void>;
  /** Absolute; without it the program has no examples. */
  readonly examplesFolder?: string;
}

/** Makes the part of an engine that has to do with files. */
export function createFileService(world: FileServiceOptions): Omit<FileEngine, 'watchFiles'> {
  const { workspace } = world;
  const texts = () => import('../files/workspace-texts.ts');
  const places = () => import('../files/place-files.ts');
  const creation = async () => (await import('./create-files.ts')).createFileCreation(world);
  const inTurn = createTurns();
  return {
    listFolder: async (folder) => (await import('../files/list-folder.ts')).listFolder(workspace, folder),
    findFiles: async () => (await import('../files/walk-files.ts')).findFiles(workspace),
    async countMatches(glob, signal) {
      const [{ findByGlobs }, { systemHolder }] = await Promise.all([
        import('../files/glob-files.ts'),
        import('../files/folder-holder.ts'),
      ]);
      return { count: (await findByGlobs(workspace, [glob], { holder: systemHolder, signal })).length };
    },
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
    readPicture: async (path) => (await import('../files/read-picture.ts')).readPicture(workspace, path),
    writeFile: (request) => inTurn(async () => (await texts()).writeWorkspaceText(workspace, request)),
    createFile: (request) => inTurn(async () => (await places()).createEntry(workspace, request)),
    renameFile: (request) =>
      inTurn(async () => {
        await (await places()).renameEntry(workspace, request);
        await world.onRenamed?.(request);
      }),
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
