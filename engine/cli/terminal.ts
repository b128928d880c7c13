/**
 * Where the program writes: two streams, one of which may be a screen.
 */
import { stripVTControlCharacters } from 'node:util';
import colors from 'picocolors';

type Colors = ReturnType<typeof colors.createColors>;

export interface Terminal {
  /** Writes to stdout as it is. Text for a reader that has gone is dropped. */
  out(text: string): void;
  /** Writes a line to stderr. */
  err(line: string): void;
  /** True when a person watches stdout, so that lines may be drawn again. */
  readonly isLive: boolean;
  /** Width of the screen in characters. */
  columns(): number;
  /** Height of the screen in lines. */
  rows(): number;
  /** Paints text; paints nothing where colour is not wanted (`NO_COLOR`, no screen). */
  readonly colors: Colors;
}

/** The terminal of this process. */
export function createTerminal({ stdout, stderr, env }: NodeJS.Process): Terminal {
  ignoreGoneReader(stdout);
  ignoreGoneReader(stderr);
  const isLive = stdout.isTTY === true && env['TERM'] !== 'dumb';
  return {
    out: (text) => void stdout.write(text),
    err: (line) => void stderr.write(`${line}\n`),
    isLive,
    columns: () => stdout.columns || 80,
    rows: () => stdout.rows || 24,
    colors: colors.createColors(isLive && !env['NO_COLOR']),
  };
}

/** `millrace … | head` closes the pipe early. A run goes on all the same, and its history is complete. */
function ignoreGoneReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/** Text from a model or a file, without what could steer a terminal; lines and tabs stay. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return stripVTControlCharacters(text).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '');
}
