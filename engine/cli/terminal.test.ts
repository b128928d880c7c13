import { describe, expect, test } from 'vitest';
import { createTerminal } from './terminal.ts';

const esc = '\u001b';

/** Returns the terminal of a process with these streams, and everything it wrote. */
function createScreen({ isTTY = true, env = {} }: { isTTY?: boolean; env?: Record<string, string> } = {}) {
  const written = { out: '', err: '' };
  const streamOf = (name: 'out' | 'err') => ({
    isTTY,
    columns: 80,
    rows: 24,
    on() {},
    write(text: string) {
      written[name] += text;
    },
  });
  const own = { stdout: streamOf('out'), stderr: streamOf('err'), env };
  return { terminal: createTerminal(own as unknown as NodeJS.Process), written };
}

/** Hostile texts, and the part that may be shown. */
const hostile: readonly (readonly [name: string, text: string, seen: string])[] = [
  ['a color', `${esc}[31mred${esc}[0m`, 'red'],
  ['hidden text', `${esc}[8mhidden`, 'hidden'],
  ['clearing', `a${esc}[2J${esc}[Hb`, 'ab'],
  ['a title', `a${esc}]0;owned\u0007b`, 'ab'],
  ['a link', `${esc}]8;;http://evil${esc}\\text${esc}]8;;${esc}\\`, 'text'],
  ['the clipboard', `a${esc}]52;c;cm0gLXJm\u0007b`, 'ab'],
  ['an unterminated escape sequence', `a${esc}`, 'a'],
  ['CSI as one character', 'a\u009b2Jb', 'ab'],
  ['OSC as one character', 'a\u009d', 'a'],
  ['DCS', `a${esc}P`, 'a'],
  ['next line', 'a\u0085b', 'ab'],
  ['backspace', 'safe\rowned\b\b', 'safeowned'],
  ['bell, form feed, vertical tab, NUL, delete', 'a\u0007\f\v\0\u007fb', 'ab'],
  ['the alternate character set', 'a\u000e\u000fb', 'ab'],
  ['right-to-left override', 'a\u202etxt.exe\u202c', 'atxt.exe'],
  ['isolates', 'a\u2066b\u2067c\u2068d\u2069', 'abcd'],
  ['embeddings', 'a\u202ab\u202bc\u202dd', 'abcd'],
  ['direction marks', 'a\u200eb\u200fc\u061cd', 'abcd'],
  ['nested escape sequences', `${esc}${esc}[2J[31mx`, '[31mx'],
];
const steering = /[^\P{Cc}\n\t]|[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

describe('text for people', () => {
  test.each(hostile)('removes %s on both streams', (_, text, seen) => {
    const { terminal, written } = createScreen();
    terminal.out(text);
    terminal.err(text);
    expect(written).toEqual({ out: seen, err: `${seen}\n` });
  });

  test.each(hostile)('removes %s from painted text and keeps only the paint', (_, text, seen) => {
    const { terminal, written } = createScreen();
    terminal.out(terminal.colors.red(text));
    expect(written.out).toBe(`${esc}[31m${seen}${esc}[39m`);
  });

  test('keeps lines, tabs, and characters of all languages', () => {
    const { terminal, written } = createScreen();
    const text = 'a\tb\nгрün 日本 עברית 👩‍👧 é\n';
    terminal.out(text);
    expect(written.out).toBe(text);
  });

  test('passes control sequences of the program, which no other text can imitate', () => {
    const first = createScreen();
    first.terminal.out(first.terminal.control(`${esc}[2A`));
    expect(first.written.out).toBe(`${esc}[2A`);
    const second = createScreen();
    second.terminal.out(first.terminal.control(`${esc}[2A`));
    expect(second.written.out).not.toContain(esc);
  });

  test.each([{ isTTY: false }, { env: { NO_COLOR: '1' } }, { env: { TERM: 'dumb' } }])(
    'has no color with %j',
    (options) => {
      const { terminal, written } = createScreen(options);
      terminal.out(terminal.colors.bold('a'));
      expect(written.out).toBe('a');
    },
  );
});

describe('JSON', () => {
  test.each(hostile)('preserves %s as an escape', (_, text) => {
    const { terminal, written } = createScreen();
    const line = `${JSON.stringify({ [text]: [text] })}\n`;
    terminal.json(line);
    expect(JSON.parse(written.out)).toEqual(JSON.parse(line));
    expect(written.out).not.toMatch(steering);
    expect(written.out.endsWith('\n')).toBe(true);
  });
});
