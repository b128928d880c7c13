/**
 * Records and replays programs that nodes run. What a program changes on the machine is not part of a recording.
 */
import { z } from 'zod';
import type { JsonValue } from '../../language/json/json-value.ts';
import {
  type CommandOutcome,
  type CommandRequest,
  type CommandsCapability,
  shownCommand,
} from '../../runtime/kernel/capabilities/command-capability.ts';
import { unreadable } from './cassette-error.ts';
import type { CassettePlayer } from './cassette-player.ts';

/** A program that cannot be started is a problem of this machine, so it is not recorded. */
const recordedErrors = new Set(['command.too-much-output']);

const recordedOutcome = z.object({
  exitCode: z.int(),
  signal: z.exactOptional(z.string()),
  stdout: z.string(),
  stderr: z.string(),
  stdoutBase64: z.exactOptional(z.string()),
});

/** Wraps commands with a cassette. Nothing is started for a recorded command, so it needs no permission either. */
export function createCassetteCommands(live: CommandsCapability, player: CassettePlayer): CommandsCapability {
  return {
    async run(request, signal) {
      const shown = masked(request, partsOf(request));
      return await player.call<CommandOutcome>({
        kind: 'command',
        title: shownCommand(shown),
        request: requestOf(shown),
        signal,
        recordedErrors,
        live: async () => masked(request, await live.run(request, signal)),
        write: (outcome) => ({ ...outcome }),
        read(recorded) {
          const outcome = readOutcome(recorded, player.file);
          if (outcome.stdout !== '') request.onOutput?.('stdout', outcome.stdout);
          if (outcome.stderr !== '') request.onOutput?.('stderr', outcome.stderr);
          return outcome;
        },
      });
    },
  };
}

type CommandParts = Pick<CommandRequest, 'program' | 'args' | 'cwd' | 'env' | 'stdin'>;

function partsOf({ program, args, cwd, env, stdin }: CommandRequest): CommandParts {
  return { program, args, cwd, env, stdin };
}

/** Returns the value with the names of secrets instead of their values. */
function masked<Value>({ secrets }: CommandRequest, value: Value): Value {
  return secrets === undefined ? value : secrets.mask(value);
}

function requestOf({ program, args, cwd, env, stdin }: CommandParts): JsonValue {
  return {
    program,
    args: [...args],
    ...(cwd === undefined ? {} : { cwd }),
    ...(Object.keys(env).length === 0 ? {} : { env: { ...env } }),
    ...(stdin === undefined ? {} : { stdin }),
  };
}

function readOutcome(recorded: JsonValue, file: string): CommandOutcome {
  const checked = recordedOutcome.safeParse(recorded);
  if (!checked.success) throw unreadable(file, 'the response of a command needs exitCode, stdout and stderr');
  return checked.data;
}
