/**
 * Writes the program's output to two streams, one of which may be a screen. All output goes through this module, so
 * that text from files, packs, models or the web cannot control the screen.
 */
import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import picocolors from 'picocolors';

type TerminalColors = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>>;

export interface Terminal {
  /**
   * Writes text for people to stdout, removing terminal control characters that the program did not write itself. The
   * text is discarded if the reader has closed the pipe.
   */
  out(text: string): void;
  /** Writes JSON to stdout. Terminal control characters are written as `\uXXXX`, which preserves the values. */
  json(text: string): void;
  /** Writes a line to stderr, with the same filtering as `out`. */
  err(line: string): void;
  /** Whether stdout is an interactive terminal, so that lines can be redrawn. */
  readonly isLive: boolean;
  /** Returns the width of the screen in characters. */
  columns(): number;
  /** Returns the height of the screen in lines. */
  rows(): number;
  /** Colors text, unless color is disabled (`NO_COLOR`, no screen). */
  readonly colors: TerminalColors;
  /** Encodes one of the program's own control sequences so that `out` does not remove it. */
  control(sequence: string): string;
}

/** Creates the terminal of this process. */
export function createTerminal({ stdout, stderr, env }: NodeJS.Process): Terminal {
  ignoreGoneReader(stdout);
  ignoreGoneReader(stderr);
  const isLive = stdout.isTTY === true && env['TERM'] !== 'dumb';
  // Represents the escape character in the program's own sequences. It is random, so no other text can contain it.
  const ownEscape = `\ufdd0${randomUUID()}\ufdd1`;
  const shown = (text: string): string => printable(text).replaceAll(ownEscape, '\x1b');
  const control = (sequence: string): string => sequence.replaceAll('\x1b', ownEscape);
  return {
    out: (text) => void stdout.write(shown(text)),
    json: (text) => void stdout.write(escapedJson(text)),
    err: (line) => void stderr.write(`${shown(line)}\n`),
    isLive,
    columns: () => stdout.columns || 80,
    rows: () => stdout.rows || 24,
    colors: createColors(isLive && !env['NO_COLOR'], control),
    control,
  };
}

function createColors(isWanted: boolean, control: Terminal['control']): TerminalColors {
  const { bold, dim, red, green, yellow, cyan } = picocolors.createColors(isWanted);
  const painting = (paint: (text: string) => string) => (text: string) => control(paint(printable(text)));
  return {
    bold: painting(bold),
    dim: painting(dim),
    red: painting(red),
    green: painting(green),
    yellow: painting(yellow),
    cyan: painting(cyan),
  };
}

/**
 * Ignores the error of a pipe that its reader has closed, such as `millrace … head`. The run continues, and its history
 * is complete.
 */
function ignoreGoneReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/**
 * Characters that control a screen: control characters except tab and line feed, including those that start at U+0080,
 * and characters that change the text direction and can disguise text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it removes control characters
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Removes terminal control characters from untrusted text, except line feeds and tabs. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(steering, '');
}

/** Escapes control characters in JSON text without changing its value. JSON cannot contain them outside of strings. */
function escapedJson(text: string): string {
  return text.replace(steering, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
