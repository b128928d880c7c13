/**
 * `aip.git`: Git commands.
 */
import { requiredString } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';

export const gitApi: ApiModule = {
  name: 'git',
  reachesOut: true,
  summary: 'Runs Git commands. Works only in trusted workspaces.',
  members: [
    {
      name: 'restore',
      signature: 'restore(path: string) -> string',
      summary: "Restores a file to its content in Git. Returns Git's output. Raises an error if Git fails.",
      call: ([path], { host }) => host('git.restore', { path: requiredString(path, 1) }).stdout,
    },
  ],
};
