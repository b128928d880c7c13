/**
 * `aip.cmd`: commands.
 */
import { isNil, optionalString, optionsTable, requiredString, stringList } from '../api-arguments.ts';
import type { ApiModule } from '../api-module.ts';

export const cmdApi: ApiModule = {
  name: 'cmd',
  reachesOut: true,
  summary: 'Runs programs. Works only in trusted workspaces.',
  members: [
    {
      name: 'exec',
      signature:
        'exec(command: string, args?: string | string[], options?: { cwd?: string }) -> { stdout: string, stderr: string, exit: integer }',
      summary:
        'Runs a program without input and waits until it ends. A string as `args` is a single argument. The program does not run in a shell, except on Windows (`cmd /C`). The working directory is `cwd` or the workspace. Returns any exit code, and -1 if a signal ended the program. Raises an error if the program cannot be started or writes more than 16 MiB. If the run is canceled, the program ends too.',
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
