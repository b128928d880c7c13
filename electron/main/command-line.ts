/**
 * What a person may say when starting the program.
 */
import path from 'node:path';
import { isLink, readOpenRequest } from './open-request.ts';

/** Plain data: a second start sends it to the first. */
export interface CommandLine {
  /** `--workspace DIR`, made absolute; null = not given. */
  readonly workspace: string | null;
  /** Files, made absolute, and links that are to be opened. */
  readonly open: readonly string[];
}

interface StartPlace {
  readonly cwd: string;
  /** Where npm was called; npm itself changes to the package's folder. */
  readonly initCwd: string | undefined;
}

const workspaceFlag = '--workspace';

/** Reads the arguments. Those it does not know are Chromium's and are left alone. */
export function readCommandLine(args: readonly string[], { cwd, initCwd }: StartPlace): CommandLine {
  const place = initCwd ?? cwd;
  const folder = flagValue(args);
  const others = args.filter((arg, index) => arg !== folder || args[index - 1] !== workspaceFlag);
  const open = others.flatMap((arg) => {
    // One that will be refused counts, too: who follows a link does not ask for the usual window.
    if (isLink(arg)) return [arg];
    const request = readOpenRequest(arg, place);
    return request !== undefined && 'path' in request ? [request.path] : [];
  });
  return { workspace: folder === undefined ? null : path.resolve(place, folder), open: open.slice(0, maxOpened) };
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
