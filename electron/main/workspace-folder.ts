/**
 * The folder that a window works in.
 */
import { realpath, stat } from 'node:fs/promises';
import { EngineError } from '../ipc/engine-base.ts';

/**
 * The real path of a folder, so that two ways to it are one workspace.
 * @throws EngineError `workspace.not-found` | `workspace.not-a-folder`
 */
export async function resolveWorkspace(folder: string): Promise<string> {
  const real = await realpath(folder).catch((cause: unknown) => {
    throw new EngineError({
      code: 'workspace.not-found',
      message: `The folder ${folder} cannot be opened: it is not there, or you may not read it. Choose another with File > Open Folder.`,
      cause,
    });
  });
  if (!(await stat(real)).isDirectory()) {
    throw new EngineError({
      code: 'workspace.not-a-folder',
      message: `${folder} is a file. A workspace is the folder that holds your flows: choose it with File > Open Folder.`,
    });
  }
  return real;
}
