/**
 * Provides file operations in the workspace for host programs. The code is loaded on first use, because a command that
 * runs one flow needs none of it.
 */
import type { Clock } from '../../base/clock.ts';
import type { SchemaFile } from '../../language/flow/schema-files.ts';
import type { ImportedFlow } from '../../language/import/report.ts';
import type { NodeTypeCatalog } from '../../language/types/node-type-spec.ts';
import type { SearchAnswer, SearchRequest } from '../../world/search/search-files.ts';
import type { FileCreation } from './create-files.ts';
import type { GalleryEngine } from './gallery.ts';
import { createGitService, type GitEngine } from './git-service.ts';
import type { ImportRequest } from './import-source.ts';

/** An entry in a workspace folder. */
export interface WorkspaceFolderEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: 'file' | 'folder';
  /**
   * Difference from git's HEAD; a folder is `modified` if any of its content differs. Null if unchanged, or without a
   * git repository.
   */
  readonly change: 'modified' | 'untracked' | null;
  /** For a folder, the number of its entries; absent if not counted, as in a parent folder with very many folders. */
  readonly count?: number;
}

/** Files that were added, changed or removed. */
export interface FileChange {
  /**
   * Sorted paths. A folder stands for all its content. Empty if any file may have changed: after a change of the git
   * state, or before the watch was active.
   */
  readonly paths: readonly string[];
  /** False if only file contents have changed, so that listings are still valid. */
  readonly isTree: boolean;
}

/** Text to write to a file. */
export interface WriteFile {
  readonly path: string;
  readonly text: string;
  /** The current content that the caller expects; null for no file. If absent, any content is replaced. */
  readonly expected?: string | null;
}

/** Operations on workspace files. */
export interface FileEngine extends FileCreation, GalleryEngine, GitEngine {
  /**
   * Lists a folder (`''` for the workspace), folders first, in natural order. Omits git's folder, `node_modules` and
   * runs' temporary files. Returns at most 5,000 entries. @throws EngineError `files.not-found` | `files.no-folder`
   */
  listFolder(folder: string): Promise<{ readonly entries: readonly WorkspaceFolderEntry[]; readonly isCut: boolean }>;
  /**
   * Lists all files except those that git ignores, in path order. Returns at most 20,000 files, preferring those
   * closest to the workspace folder.
   */
  findFiles(): Promise<{ readonly paths: readonly string[]; readonly isCut: boolean }>;
  /**
   * Counts the files that match a flow's glob by the rules of `file.read`, including files that git ignores.
   * @throws EngineError `files.outside` | `files.bad-glob`; the signal's reason
   */
  countMatches(glob: string, signal: AbortSignal): Promise<{ readonly count: number }>;
  /**
   * Searches the files that `findFiles` returns, line by line. Skips symbolic links, files that are not text, and files
   * larger than 2 MiB. Limits: 2,000 matches, 2 seconds per file and 20 seconds in total (reported in `end`).
   * @throws EngineError `files.bad-pattern` for an invalid regular expression or glob; `files.search-failed`; the
   * signal's reason
   */
  searchFiles(request: SearchRequest, signal: AbortSignal): Promise<SearchAnswer>;
  /**
   * Returns the current git branch, and the number of files that differ from the last commit; null without git or a
   * repository.
   */
  readGit(): Promise<{ readonly branch: string; readonly changed: number } | null>;
  /**
   * Reads a file's text without changes: a byte order mark is returned as U+FEFF, and line endings are kept.
   * @throws EngineError `files.not-found` | `files.not-text` | `files.too-large` (over 16 MiB) | `files.not-readable`
   */
  readFile(path: string): Promise<{ readonly text: string; readonly isWritable: boolean }>;
  /**
   * Returns a small image as a `data:` URL. Its content determines its type.
   * @throws EngineError `files.not-found` | `files.not-picture` | `files.too-large` (over 2 MiB) | `files.not-readable`
   */
  readPicture(path: string): Promise<{ readonly address: string }>;
  /**
   * Replaces a file atomically, or creates it and its folders.
   * @throws EngineError `files.changed` if the content is not `expected`, with the content (null for no file) as `{
   * text }` in `details`; `files.not-text` for text that UTF-8 cannot represent or a file that is not text;
   * `files.too-large` | `files.not-writable`
   */
  writeFile(request: WriteFile): Promise<void>;
  /** Creates a file or a folder, including its parent folders. @throws EngineError `files.exists` | `files.bad-name` */
  createFile(request: {
    readonly path: string;
    readonly kind: 'file' | 'folder';
    readonly text?: string;
  }): Promise<void>;
  /**
   * Moves a file, folder or symbolic link without ever replacing anything.
   * @throws EngineError `files.exists` | `files.bad-name` | `files.not-found`
   */
  renameFile(request: { readonly from: string; readonly to: string }): Promise<void>;
  /** Copies a file or folder within its parent folder, under an unused name. @throws EngineError `files.not-found` */
  duplicateFile(path: string): Promise<{ readonly path: string }>;
  /**
   * Moves a file, folder or symbolic link to the system's trash. @throws EngineError `files.not-found` |
   * `files.no-trash`
   */
  trashFile(path: string): Promise<void>;
  /**
   * Converts an n8n workflow, a Rivet project or a Flowise agentflow to flows, without writing them. The first flow has
   * the name of the source.
   * @throws EngineError `import.unknown-format` | `import.unreadable` | `import.too-large`
   */
  importFlows(source: ImportRequest): Promise<readonly ImportedFlow[]>;
  /**
   * Reports which files have changed, shortly after the last of several changes. Returns a function that ends the
   * subscription.
   */
  watchFiles(listener: (change: FileChange) => void): () => void;
}

export interface FileServiceOptions {
  /** Absolute path. */
  readonly workspace: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly isTrusted: () => Promise<boolean>;
  readonly catalog: NodeTypeCatalog;
  readonly readAgentType?: (type: string) => Promise<SchemaFile>;
  /** Called after a rename, to update data stored by path. */
  readonly onRenamed?: (request: { readonly from: string; readonly to: string }) => Promise<void>;
  /** Absolute path; absent if there are no examples. */
  readonly examplesFolder?: string;
  /** Absolute path; absent without a gallery. */
  readonly galleryFolder?: string;
}

/** Creates the part of an engine that handles files. */
export function createFileService(world: FileServiceOptions): Omit<FileEngine, 'watchFiles'> {
  const { workspace } = world;
  const texts = () => import('../../world/files/workspace-texts.ts');
  const places = () => import('../../world/files/place-files.ts');
  const creation = async () => (await import('./create-files.ts')).createFileCreation(world);
  const gallery = async () => (await import('./gallery.ts')).createGallery(world);
  const inTurn = createTurns();
  return {
    ...createGitService(workspace, world.isTrusted),
    listFolder: async (folder) => (await import('../../world/files/list-folder.ts')).listFolder(workspace, folder),
    findFiles: async () => (await import('../../world/files/walk-files.ts')).findFiles(workspace),
    async countMatches(glob, signal) {
      const [{ findByGlobs }, { systemHolder }] = await Promise.all([
        import('../../world/files/glob-files.ts'),
        import('../../world/files/folders/folder-holder.ts'),
      ]);
      return { count: (await findByGlobs(workspace, [glob], { holder: systemHolder, signal })).length };
    },
    async searchFiles(request, signal) {
      const { searchFiles } = await import('../../world/search/search-files.ts');
      return searchFiles(workspace, request, { clock: world.clock, signal });
    },
    async readGit() {
      const { readGitBranch, readGitChanges } = await import('../../world/files/git-changes.ts');
      const [branch, changes] = await Promise.all([readGitBranch(workspace), readGitChanges(workspace, ['.'])]);
      return branch === null || changes === null ? null : { branch, changed: changes.size };
    },
    readFile: async (path) => (await texts()).readWorkspaceText(workspace, path),
    readPicture: async (path) => (await import('../../world/files/read-picture.ts')).readPicture(workspace, path),
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
        import('../../world/files/place-files.ts'),
        import('../../world/files/trash.ts'),
      ]);
      const { real } = await resolveEntry(workspace, path);
      await moveToTrash(real, world);
    },
    importFlows: async (source) => (await import('./import-source.ts')).importSource(source, world.catalog),
    createFlow: (request) => inTurn(async () => (await creation()).createFlow(request)),
    createAgent: (request) => inTurn(async () => (await creation()).createAgent(request)),
    createPack: (request) => inTurn(async () => (await creation()).createPack(request)),
    listExamples: async () => (await creation()).listExamples(),
    listGallery: async () => (await gallery()).listGallery(),
    readGalleryPicture: async (request) => (await gallery()).readGalleryPicture(request),
    copyGalleryExample: (id) => inTurn(async () => (await gallery()).copyGalleryExample(id)),
  };
}

/** Runs work one after the other, so that nothing can change between a check and the write. */
function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  };
}
