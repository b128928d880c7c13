/**
 * Command lines as their shells read them: those of bash and its kin, of the command prompt of Windows, and of PowerShell.
 */

/** Stands around the name of a variable in a word: its value is not in the line. No shell writes these signs. */
const variableStart = '\uE000';
const variableEnd = '\uE001';

export const variablePattern = /\uE000([A-Za-z_][A-Za-z0-9_]*)\uE001/g;

export interface ShellWords {
  readonly words: readonly string[];
  /** What stands behind the command, such as `| jq .`; empty = nothing. */
  readonly rest: string;
  /** A command that the shell would run first, as `$(…)`; its result is not in the line. */
  readonly hasCommandInside: boolean;
}

/** The words of the first command of a text. Nothing is refused: what is not closed ends with the text. */
export function shellWords(text: string): ShellWords {
  if (/\^"|\^[ \t]*\r?\n/.test(text)) return argumentWords(withoutCarets(text));
  const unified = text.replaceAll('\r\n', '\n');
  return wordsIn(unified, /`[ \t]*\n/.test(unified) ? powerShell : bash);
}

function variable(name: string): string {
  return variableStart + name + variableEnd;
}

/** What the command prompt makes of a line: a caret takes the meaning of the next sign, but not between quotes. */
function withoutCarets(text: string): string {
  let isQuoted = false;
  // A caret and two ends of lines are one end of a line.
  const tokens = /%([A-Za-z_]\w*)%|\^(?:\n(\n?)|([^\n]?))|"/g;
  return text.replaceAll('\r\n', '\n').replace(tokens, (token, name?: string, lineEnd?: string, sign?: string) => {
    if (name !== undefined) return variable(name);
    const isEscaped = token.startsWith('^') && !isQuoted;
    if (!isEscaped && token.endsWith('"')) isQuoted = !isQuoted;
    return isEscaped ? (lineEnd ?? sign ?? '') : token;
  });
}

/** What programs of Windows make of a line: quotes, doubled ones, and backslashes before them. */
function argumentWords(line: string): ShellWords {
  const words = new WordList();
  let isQuoted = false;
  const quote = (slashes: string, second: string): string => {
    const half = '\\'.repeat(Math.floor(slashes.length / 2));
    const isSign = slashes.length % 2 === 1;
    const isDoubled = !isSign && isQuoted && second !== '';
    // A quote begins or ends a stretch, unless it is written as a sign; two of them begin and end one.
    if (isSign === (second !== '')) isQuoted = !isQuoted;
    return isSign || isDoubled ? `${half}"` : half;
  };
  for (const [token, slashes, second = ''] of line.matchAll(/(\\*)"("?)|\s+|[^\s"\\]+|\\+/g)) {
    if (slashes !== undefined) words.add(quote(slashes, second));
    else if (isQuoted || /\S/.test(token)) words.add(token);
    else words.end();
  }
  words.end();
  return { words: words.all, rest: '', hasCommandInside: false };
}

/** Words that are put together of pieces. */
class WordList {
  readonly all: string[] = [];
  #open: string | null = null;

  get open(): string | null {
    return this.#open;
  }

  add(piece: string): void {
    this.#open = (this.#open ?? '') + piece;
  }

  end(): void {
    if (this.#open !== null) this.all.push(this.#open);
    this.#open = null;
  }

  drop(): void {
    this.#open = null;
  }
}

/** The tokens of a shell, all of which match any text; groups say what each is. */
interface Shell {
  readonly tokens: RegExp;
  /** Variables, commands and escaped signs between double quotes. */
  readonly inner: RegExp;
  /** What an escaped sign means between double quotes, and elsewhere. */
  readonly quoted: (sign: string) => string;
  readonly plain: (sign: string) => string;
  /** What a program gets of a text that stood between quotes. */
  readonly handed: (text: string) => string;
}

const bash: Shell = {
  tokens:
    /(?<joined>\\\n)|(?<blank>[^\S\n]+)|(?<end>[\n|;<>&()])|\$'(?<ansi>(?:[^'\\]|\\[\s\S])*)'?|'(?<single>[^']*)'?|\$?"(?<double>(?:[^"\\]|\\[\s\S])*)"?|\\(?<escaped>[\s\S]?)|(?<expansion>\$\{[^}]*\}?|\$\((?:[^()]|\([^()]*\))*\)?|\$\w+|`[^`]*`?|\$)|(?<text>[^\s'"$`\\|;<>&()]+)/gy,
  inner: /\$\{[^}]*\}?|\$\((?:[^()]|\([^()]*\))*\)?|\$\w+|`[^`]*`?|\\([\s\S])/g,
  quoted: (sign) => (sign === '\n' ? '' : '"\\$`'.includes(sign) ? sign : `\\${sign}`),
  plain: (sign) => sign,
  handed: (text) => text,
};

const powerShellSigns: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '0': '\0', '\n': '' };

const powerShell: Shell = {
  tokens:
    /(?<joined>`[ \t]*\n)|(?<blank>[^\S\n]+)|(?<end>[\n|;<>&()])|'(?<single>(?:[^']|'')*)'?|"(?<double>(?:[^"`]|`[\s\S]|"")*)"?|`(?<escaped>[\s\S]?)|(?<expansion>\$\{[^}]*\}?|\$\((?:[^()]|\([^()]*\))*\)?|\$(?:env:)?\w+|\$)|(?<text>[^\s'"$`|;<>&()]+)/giy,
  inner: /\$\{[^}]*\}?|\$\((?:[^()]|\([^()]*\))*\)?|\$(?:env:)?\w+|`([\s\S])|""/gi,
  quoted: (sign) => powerShellSigns[sign] ?? sign,
  plain: (sign) => powerShellSigns[sign] ?? sign,
  // Programs get its backslashes before quotes as they are, and take them away.
  handed: (text) => text.replaceAll("''", "'").replaceAll('\\"', '"'),
};

function wordsIn(text: string, shell: Shell): ShellWords {
  const words = new WordList();
  const inside = { hasCommand: false };
  let rest = '';
  for (const { groups = {}, index } of text.matchAll(shell.tokens)) {
    const isBegun = words.all.length > 0 || words.open !== null;
    if (endsCommand(groups, words.open, isBegun)) {
      // The number of a stream stands before the sign that sends it elsewhere.
      if (/[<>]/.test(groups['end'] ?? '') && /^\d$/.test(words.open ?? '')) words.drop();
      rest = text.slice(index).trim();
      break;
    }
    const { joined, blank, end } = groups;
    if (blank !== undefined) words.end();
    // A line that goes on parts no words by itself.
    else if (joined === undefined && end === undefined) words.add(pieceOf(groups, shell, inside));
  }
  words.end();
  return { words: words.all, rest, hasCommandInside: inside.hasCommand };
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Whether a token stands behind the command: a comment, the end of its line, or what parts it from another one. */
function endsCommand({ end, text }: Groups, open: string | null, isBegun: boolean): boolean {
  if (end !== undefined) return end !== '\n' || isBegun;
  return open === null && text?.startsWith('#') === true;
}

interface Inside {
  hasCommand: boolean;
}

function pieceOf(groups: Groups, shell: Shell, inside: Inside): string {
  const { ansi, single, double, escaped, expansion, text = '' } = groups;
  if (ansi !== undefined) return ansiText(ansi);
  if (single !== undefined) return shell.handed(single);
  if (escaped !== undefined) return shell.plain(escaped);
  if (expansion !== undefined) return expanded(expansion, inside);
  if (double === undefined) return text;
  const filled = double.replace(shell.inner, (token, sign?: string) => {
    if (sign !== undefined) return shell.quoted(sign);
    return token === '""' ? '"' : expanded(token, inside);
  });
  return shell === bash ? filled : filled.replaceAll('\\"', '"');
}

/** A variable by its name; what a command would give is only noted. */
function expanded(token: string, inside: Inside): string {
  const name = /^\$\{?(?:env:)?([A-Za-z_]\w{0,63})(?![\w])/i.exec(token)?.[1];
  if (name !== undefined) return variable(name);
  if (token.startsWith('$(') || token.startsWith('`')) {
    inside.hasCommand = true;
    return '';
  }
  return token;
}

const ansiSigns: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001B',
  E: '\u001B',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** What stands in `$'…'`, where a backslash means what it means in C. */
function ansiText(text: string): string {
  return text.replace(/\\(?:x[\da-fA-F]{1,2}|u[\da-fA-F]{1,4}|U[\da-fA-F]{1,8}|[0-7]{1,3}|[\s\S])/g, (token) => {
    const sign = token.slice(1);
    const isHex = sign.length > 1 && /^[xuU]/.test(sign);
    if (!isHex && !/^[0-7]/.test(sign)) return signOf(sign);
    const point = isHex ? Number.parseInt(sign.slice(1), 16) : Number.parseInt(sign, 8);
    return point <= 0x10_ff_ff ? String.fromCodePoint(point) : token;
  });
}

function signOf(sign: string): string {
  return ansiSigns[sign] ?? (`\\'"?`.includes(sign) ? sign : `\\${sign}`);
}
