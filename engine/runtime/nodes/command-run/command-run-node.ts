/**
 * `command.run`: runs the program, logs its output as it arrives, and parses the result.
 */
import type { z } from 'zod';
import { EngineError } from '../../../base/engine-error.ts';
import { tooDeepError } from '../../../language/json/exact-json.ts';
import { readForeignJson } from '../../../language/json/foreign-json.ts';
import type { JsonValue } from '../../../language/json/json-value.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { type CommandOutcome, shownCommand } from '../../kernel/capabilities/command-capability.ts';
import type { Hub } from '../../kernel/hub/hub.ts';
import { CommandLog } from '../command-log.ts';
import { warnOfJson } from '../json-notes.ts';
import { commandRunType } from './command-run-type.ts';

type Config = z.output<typeof commandRunType.configSchema>;

export const commandRunNode = defineNodeType(commandRunType, {
  reaches: ({ program }, { args }) => [{ effect: 'command', target: shownCommand({ program, args }) }],
  capabilities: ['commands'],
  run: async ({ input, config, can, signal, hub, clock, noteWait }) => {
    const { program, cwd, maxBytes, waitFor } = config;
    const log = new CommandLog(hub, clock);
    const onHeld = (holders: string): void => {
      const held = `${program} has exited, but its output is still held open by: ${holders}`;
      hub.emit({ type: 'log', level: 'warn', text: `${held}. ${heldAdvice}` });
      noteWait(`${held}. ${heldAdvice}`);
    };
    let outcome: CommandOutcome;
    try {
      outcome = await can.commands.run(
        { program, cwd, ...input, maxBytes, waitFor, onHeld, onOutput: (stream, text) => log.add(stream, text) },
        signal,
      );
    } finally {
      log.end();
    }
    if (!config.okExit.includes(outcome.exitCode)) throw failed(program, outcome);
    const { exitCode, stdout, stderr, stdoutBase64 } = outcome;
    return {
      ...{ exitCode, stdout, stderr },
      ...(config.parse === 'text' ? {} : { value: readValue(config, stdout, hub) }),
      ...(stdoutBase64 === undefined ? {} : { stdoutBase64 }),
    };
  },
});

const heldAdvice = 'To complete the node when the program exits, set waitFor: program.';

function readValue({ parse, program }: Config, stdout: string, hub: Pick<Hub, 'emit'>): JsonValue {
  if (parse === 'lines') return stdout === '' ? [] : stdout.replace(/\r?\n$/, '').split(/\r?\n/);
  const read = readForeignJson(stdout);
  if (read.kind === 'value') {
    warnOfJson(hub, `The output of ${program}`, read.notes);
    return read.value;
  }
  if (read.kind === 'too-deep') throw tooDeepError(`The output of ${program}`);
  const beginning = stdout === '' ? 'it is empty' : `it begins with ${JSON.stringify(stdout.slice(0, 60))}`;
  throw new EngineError({
    code: 'command.bad-json',
    message: `The output of ${program} is not valid JSON: ${beginning}. Set parse to text or lines if the output is not always JSON.`,
  });
}

/** Number of characters from the end of each output stream that the error contains. */
const tellingLength = 8_000;

function failed(program: string, { exitCode, signal, stdout, stderr }: CommandOutcome): EngineError {
  const said = (stderr.trim() || stdout.trim()).slice(-300);
  const how = signal === undefined ? `failed with exit code ${exitCode}` : `was terminated by the signal ${signal}`;
  return new EngineError({
    code: 'command.failed',
    message: `${program} ${how}${said === '' ? '' : `: ${said}`}. If this is not a failure, add ${exitCode} to okExit.`,
    details: {
      exitCode,
      ...(signal === undefined ? {} : { signal }),
      stdout: stdout.slice(-tellingLength),
      stderr: stderr.slice(-tellingLength),
    },
  });
}
