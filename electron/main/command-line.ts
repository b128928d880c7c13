/**
 * Parses the arguments of the program.
 */
import path from 'node:path';
import { isLink, readOpenRequest } from './windows/open-request.ts';

/** Parsed arguments. Must be plain data, because a second start sends them to the first. */
export interface CommandLine {
  /** Absolute path from `--workspace DIR` or a folder argument; null if not given. */
  readonly workspace: string | null;
  /** Absolute paths of files and links to open. */
  readonly open: readonly string[];
}

interface StartPlace {
  readonly cwd: string;
  /** The folder in which npm was called; npm itself changes to the package folder. */
  readonly initCwd: string | undefined;
  /** Folder of the program during development: Electron's first argument. Undefined in a packaged program. */
  readonly ownFolder?: string | undefined;
  /** Returns whether a path is an existing folder. */
  isFolder(path: string): boolean;
}

const workspaceFlag = '--workspace';

/** Parses the arguments. Unknown ones belong to Chromium and are ignored. */
export function readCommandLine(args: readonly string[], place: StartPlace): CommandLine {
  const { cwd, initCwd } = place;
  const start = initCwd ?? cwd;
  const flag = flagValue(args);
  const others = args.filter((arg, index) => arg !== flag || args[index - 1] !== workspaceFlag);
  const folders = foldersAmong(others, start, place);
  const open = others.flatMap((arg) => {
    if (folders.has(arg)) return [];
    // Also returns links that will be refused, because a user who follows a link does not expect the default window.
    if (isLink(arg)) return [arg];
    const request = readOpenRequest(arg, start);
    return request !== undefined && 'path' in request ? [request.path] : [];
  });
  const folder = flag ?? [...folders][0];
  return { workspace: folder === undefined ? null : path.resolve(start, folder), open: open.slice(0, maxOpened) };
}

/** Returns the arguments that name a folder. */
function foldersAmong(
  args: readonly string[],
  start: string,
  { cwd, ownFolder, isFolder }: StartPlace,
): ReadonlySet<string> {
  const isOwn = (arg: string): boolean => ownFolder !== undefined && path.resolve(cwd, arg) === ownFolder;
  const isPath = (arg: string): boolean => arg !== '' && !arg.startsWith('-') && !arg.includes('\0') && !isLink(arg);
  return new Set(args.filter((arg) => isPath(arg) && !isOwn(arg) && isFolder(path.resolve(start, arg))));
}

/** Larger selections in a file manager are probably a mistake. */
const maxOpened = 20;

function flagValue(args: readonly string[]): string | undefined {
  const joined = args.find((arg) => arg.startsWith(`${workspaceFlag}=`));
  if (joined !== undefined) return joined.slice(workspaceFlag.length + 1) || undefined;
  const index = args.indexOf(workspaceFlag);
  const next = index < 0 ? undefined : args[index + 1];
  return next?.startsWith('--') ? undefined : next;
}
