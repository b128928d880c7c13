/**
 * Where the program writes: two streams, one of which may be a screen. All that it writes goes through here, and nothing that
 * came from a file, a pack, a model or the web gets to steer the screen.
 */
import { randomUUID } from 'node:crypto';
import { stripVTControlCharacters } from 'node:util';
import picocolors from 'picocolors';

type Colors = Readonly<Record<'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan', (text: string) => string>>;

export interface Terminal {
  /**
   * Writes text for people to stdout, without what could steer a screen but is not the program's own. Text for a reader that
   * has gone is dropped.
   */
  out(text: string): void;
  /** Writes JSON to stdout, nothing added; what could steer a screen stands as `\uXXXX`, so that each value stays as it is. */
  json(text: string): void;
  /** Writes a line to stderr, as `out` does. */
  err(line: string): void;
  /** True when a person watches stdout, so that lines may be drawn again. */
  readonly isLive: boolean;
  /** Width of the screen in characters. */
  columns(): number;
  /** Height of the screen in lines. */
  rows(): number;
  /** Paints text; paints nothing where colour is not wanted (`NO_COLOR`, no screen). */
  readonly colors: Colors;
  /** A control sequence of the program's own, in the form in which `out` lets it pass. */
  control(sequence: string): string;
}

/** The terminal of this process. */
export function createTerminal({ stdout, stderr, env }: NodeJS.Process): Terminal {
  ignoreGoneReader(stdout);
  ignoreGoneReader(stderr);
  const isLive = stdout.isTTY === true && env['TERM'] !== 'dumb';
  // Stands for the escape character in sequences of the program's own. Nobody else can write it, because it is made up anew.
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

function createColors(isWanted: boolean, control: Terminal['control']): Colors {
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

/** `millrace … | head` closes the pipe early. A run goes on all the same, and its history is complete. */
function ignoreGoneReader(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
}

/**
 * What steers a screen: control characters but for tab and line feed, those from U+0080 on included; and what turns the
 * direction of writing round, so that a text reads as another one.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const steering = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** Text from a model or a file, without what could steer a terminal; lines and tabs stay. */
export function printable(text: string): string {
  return stripVTControlCharacters(text).replace(steering, '');
}

/** JSON text that says the same; outside of its strings none of these characters can stand. */
function escapedJson(text: string): string {
  return text.replace(steering, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
