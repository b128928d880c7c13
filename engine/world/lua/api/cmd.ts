/**
 * `aip.cmd`: commands.
 */
import { isNil, optionalString, optionsTable, requiredString, stringList } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';

export const cmdApi: ApiModule = {
  name: 'cmd',
  reachesOut: true,
  summary: 'Runs programs, in workspaces that the person trusts.',
  members: [
    {
      name: 'exec',
      signature:
        'exec(command: string, args?: string | string[], options?: { cwd?: string }) -> { stdout: string, stderr: string, exit: integer }',
      summary:
        'Runs a program to its end, without input; a string as `args` is one argument. No shell reads it, except on Windows (`cmd /C`). It starts in `cwd` or the workspace. Any exit code is a result, -1 when a signal ended it; raises when it cannot be started, or writes more than 16 MiB. It ends with the run when that is cancelled.',
      call: ([given, args, options], { host }) => {
        const name = 'aip.cmd.exec';
        const command = requiredString(given, 1);
        const cwd = optionalString(optionsTable(name, options)['cwd'], `${name} - cwd`);
        return {
          ...host('command.exec', {
            command,
            args: isNil(args) ? [] : stringList(args, name),
            ...(cwd === undefined || cwd.trim() === '' ? {} : { cwd }),
          }),
        };
      },
    },
  ],
};
