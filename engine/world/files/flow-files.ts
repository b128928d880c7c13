/**
 * Finds a workspace's flow files.
 */
import { isProductFlowPath } from '../../language/flow/product-path.ts';
import { type GitChange, readGitChanges } from './git-changes.ts';
import { walkFiles } from './walk-files.ts';

interface ListedFlowFile {
  /** How the file differs from Git's HEAD; null if it is unchanged or not in a Git repository. */
  readonly path: string;
  /** Difference from git's HEAD; null if it is unchanged or not in a git repository. */
  readonly change: GitChange | null;
}

/** The pathspecs for git that match the same files as `isFlowPath`. */
const flowPathspecs = [
  ':(glob)**/*.flow.yaml',
  ':(glob)**/*.flow.yml',
  ...['yaml', 'yml', 'json'].map((ending) => `:(glob)products/*/flows/*.${ending}`),
];

/**
 * Returns true for `*.flow.yaml` and `*.flow.yml` anywhere, and for YAML and JSON in the `flows` folder of a product.
 * The product's manifest may restrict the latter.
 * @param path relative to the workspace, with `/`
 */
export function isFlowPath(path: string): boolean {
  return /(?:^|\/)[^/]+\.flow\.ya?ml$/.test(path) || isProductFlowPath(path);
}

/**
 * Lists all flow files in path order, with the git status of each. Third-party folders are not searched.
 * @param workspace absolute path
 */
export async function listFlowFiles(workspace: string): Promise<readonly ListedFlowFile[]> {
  const [files, changes] = await Promise.all([
    walkFiles(workspace, { maxDepth: Number.POSITIVE_INFINITY }),
    readGitChanges(workspace, flowPathspecs),
  ]);
  const paths = files.filter(isFlowPath).sort();
  return paths.map((path) => ({ path, change: changes?.get(path) ?? null }));
}
