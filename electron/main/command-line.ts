/**
 * What a person may say when starting the program.
 */
import path from 'node:path';

/** Plain data: a second start sends it to the first. */
export interface CommandLine {
  /** `--workspace DIR`, made absolute; null = not given. */
  readonly workspace: string | null;
}

interface StartPlace {
  readonly cwd: string;
  /** Where npm was called; npm itself changes to the package's folder. */
  readonly initCwd: string | undefined;
}

const workspaceFlag = '--workspace';

/** Reads the arguments. Those it does not know are Chromium's and are left alone. */
export function readCommandLine(args: readonly string[], { cwd, initCwd }: StartPlace): CommandLine {
  const folder = flagValue(args);
  return { workspace: folder === undefined ? null : path.resolve(initCwd ?? cwd, folder) };
}

function flagValue(args: readonly string[]): string | undefined {
  const joined = args.find((arg) => arg.startsWith(`${workspaceFlag}=`));
  if (joined !== undefined) return joined.slice(workspaceFlag.length + 1) || undefined;
  const index = args.indexOf(workspaceFlag);
  const next = index < 0 ? undefined : args[index + 1];
  return next?.startsWith('--') ? undefined : next;
}
