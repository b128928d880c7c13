/**
 * `aip.git`: Git commands.
 */
import { requiredString } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';

export const gitApi: ApiModule = {
  name: 'git',
  reachesOut: true,
  summary: 'Works with git, in workspaces that the person trusts.',
  members: [
    {
      name: 'restore',
      signature: 'restore(path: string) -> string',
      summary: 'Gives a file the content that git has of it. Gives what git says; raises when that is an error.',
      call: ([path], { host }) => host('git.restore', { path: requiredString(path, 1) }).stdout,
    },
  ],
};
