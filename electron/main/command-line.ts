/**
 * What a person may say when starting the program.
 */
import path from 'node:path';
import { isLink, readOpenRequest } from './open-request.ts';

/** Plain data: a second start sends it to the first. */
export interface CommandLine {
  /** `--workspace DIR` or a folder alone, made absolute; null = not given. */
  readonly workspace: string | null;
  /** Files, made absolute, and links that are to be opened. */
  readonly open: readonly string[];
}

interface StartPlace {
  readonly cwd: string;
  /** Where npm was called; npm itself changes to the package's folder. */
  readonly initCwd: string | undefined;
  /** Where the program lies while it is developed: Electron's own first argument. Undefined in a packed program. */
  readonly ownFolder?: string | undefined;
  /** Whether a path is a folder that exists. */
  isFolder(path: string): boolean;
}

const workspaceFlag = '--workspace';

/** Reads the arguments. Those it does not know are Chromium's and are left alone. */
export function readCommandLine(args: readonly string[], place: StartPlace): CommandLine {
  const { cwd, initCwd } = place;
  const start = initCwd ?? cwd;
  const flag = flagValue(args);
  const others = args.filter((arg, index) => arg !== flag || args[index - 1] !== workspaceFlag);
  const folders = foldersAmong(others, start, place);
  const open = others.flatMap((arg) => {
    if (folders.has(arg)) return [];
    // One that will be refused counts, too: who follows a link does not ask for the usual window.
    if (isLink(arg)) return [arg];
    const request = readOpenRequest(arg, start);
    return request !== undefined && 'path' in request ? [request.path] : [];
  });
  const folder = flag ?? [...folders][0];
  return { workspace: folder === undefined ? null : path.resolve(start, folder), open: open.slice(0, maxOpened) };
}

/** The arguments that name a folder. */
function foldersAmong(
  args: readonly string[],
  start: string,
  { cwd, ownFolder, isFolder }: StartPlace,
): ReadonlySet<string> {
  const isOwn = (arg: string): boolean => ownFolder !== undefined && path.resolve(cwd, arg) === ownFolder;
  const isPath = (arg: string): boolean => arg !== '' && !arg.startsWith('-') && !arg.includes('\0') && !isLink(arg);
  return new Set(args.filter((arg) => isPath(arg) && !isOwn(arg) && isFolder(path.resolve(start, arg))));
}

/** So many are selected in a file manager by mistake only. */
const maxOpened = 20;

function flagValue(args: readonly string[]): string | undefined {
  const joined = args.find((arg) => arg.startsWith(`${workspaceFlag}=`));
  if (joined !== undefined) return joined.slice(workspaceFlag.length + 1) || undefined;
  const index = args.indexOf(workspaceFlag);
  const next = index < 0 ? undefined : args[index + 1];
  return next?.startsWith('--') ? undefined : next;
}
