/**
 * The flow files of a workspace.
 */
import { isProductFlowPath } from '../flowspec/product-path.ts';
import { type GitChange, readGitChanges } from './git-changes.ts';
import { walkFiles } from './walk-files.ts';

interface ListedFlow {
  /** Relative to the workspace, with `/`. */
  readonly path: string;
  /** How it differs from git's HEAD; null = it does not, or there is no git. */
  readonly change: GitChange | null;
}

/** The same files as `isFlowPath`, for git. */
const flowPathspecs = [
  ':(glob)**/*.flow.yaml',
  ':(glob)**/*.flow.yml',
  ...['yaml', 'yml', 'json'].map((ending) => `:(glob)products/*/flows/*.${ending}`),
];

/**
 * True for `*.flow.yaml` and `*.flow.yml` anywhere, and for YAML and JSON in the `flows` folder of a product, whose manifest may say that
 * only some of them count.
 * @param path relative to the workspace, with `/`
 */
export function isFlowPath(path: string): boolean {
  return /(?:^|\/)[^/]+\.flow\.ya?ml$/.test(path) || isProductFlowPath(path);
}

/**
 * All flow files in path order, with what git says of each. Folders that hold others' files are not searched.
 * @param workspace absolute
 */
export async function listFlowFiles(workspace: string): Promise<readonly ListedFlow[]> {
  const [files, changes] = await Promise.all([
    walkFiles(workspace, { maxDepth: Number.POSITIVE_INFINITY }),
    readGitChanges(workspace, flowPathspecs),
  ]);
  const paths = files.filter(isFlowPath).sort();
  return paths.map((path) => ({ path, change: changes?.get(path) ?? null }));
}
