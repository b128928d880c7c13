/**
 * Parses command lines like their shells: bash and similar shells, the Windows command prompt, and PowerShell.
 */

/**
 * Encloses the name of a variable in a word, because the line does not contain its value. No shell produces these
 * characters.
 */
const variableStart = '\uE000';
const variableEnd = '\uE001';

export const variablePattern = /\uE000([A-Za-z_][A-Za-z0-9_]*)\uE001/g;

export interface ShellWords {
  readonly words: readonly string[];
  /** The text after the command, such as `| jq .`. Empty if there is none. */
  readonly rest: string;
  /**
   * Whether the line contains a command that the shell would run first, such as `$(…)`. The line does not contain its
   * result.
   */
  readonly hasCommandInside: boolean;
}

/** Returns the words of the first command in a text. Accepts any text: unclosed quotes end with the text. */
export function shellWords(text: string): ShellWords {
  if (/\^"|\^[ \t]*\r?\n/.test(text)) return argumentWords(withoutCarets(text));
  const unified = text.replaceAll('\r\n', '\n');
  return wordsIn(unified, /`[ \t]*\n/.test(unified) ? powerShell : bash);
}

function variable(name: string): string {
  return variableStart + name + variableEnd;
}

/** Handles carets like the command prompt: a caret escapes the next character, except between quotes. */
function withoutCarets(text: string): string {
  let isQuoted = false;
  // A caret and two line breaks are one line break.
  const tokens = /%([A-Za-z_]\w*)%|\^(?:\n(\n?)|([^\n]?))|"/g;
  return text.replaceAll('\r\n', '\n').replace(tokens, (token, name?: string, lineEnd?: string, sign?: string) => {
    if (name !== undefined) return variable(name);
    const isEscaped = token.startsWith('^') && !isQuoted;
    if (!isEscaped && token.endsWith('"')) isQuoted = !isQuoted;
    return isEscaped ? (lineEnd ?? sign ?? '') : token;
  });
}

/** Splits a line like Windows programs do: quotes, doubled quotes, and backslashes before quotes. */
function argumentWords(line: string): ShellWords {
  const words = new WordList();
  let isQuoted = false;
  const quote = (slashes: string, second: string): string => {
    const half = '\\'.repeat(Math.floor(slashes.length / 2));
    const isSign = slashes.length % 2 === 1;
    const isDoubled = !isSign && isQuoted && second !== '';
    // A quote starts or ends a quoted part unless it is escaped. A doubled quote does both.
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

/** Words that are assembled from pieces. */
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

/** The tokens of a shell, which together match any text. Groups identify their kind. */
interface Shell {
  readonly tokens: RegExp;
  /** Variables, commands and escaped characters between double quotes. */
  readonly inner: RegExp;
  /** Returns the meaning of an escaped character between double quotes. */
  readonly quoted: (sign: string) => string;
  readonly plain: (sign: string) => string;
  /** Converts quoted text to what the program receives. */
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
  // PowerShell passes backslashes before quotes unchanged, and programs remove them.
  handed: (text) => text.replaceAll("''", "'").replaceAll('\\"', '"'),
};

function wordsIn(text: string, shell: Shell): ShellWords {
  const words = new WordList();
  const inside = { hasCommand: false };
  let rest = '';
  for (const { groups = {}, index } of text.matchAll(shell.tokens)) {
    const isBegun = words.all.length > 0 || words.open !== null;
    if (endsCommand(groups, words.open, isBegun)) {
      // The number of a stream comes before its redirection operator.
      if (/[<>]/.test(groups['end'] ?? '') && /^\d$/.test(words.open ?? '')) words.drop();
      rest = text.slice(index).trim();
      break;
    }
    const { joined, blank, end } = groups;
    if (blank !== undefined) words.end();
    // A line continuation alone does not separate words.
    else if (joined === undefined && end === undefined) words.add(pieceOf(groups, shell, inside));
  }
  words.end();
  return { words: words.all, rest, hasCommandInside: inside.hasCommand };
}

type Groups = Readonly<Record<string, string | undefined>>;

/** Returns whether a token ends the command: a comment, the end of its line, or a separator between commands. */
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

/** Returns a variable with its name. A command substitution is only recorded. */
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

/** Decodes `$'…'`, in which backslashes have the same meaning as in C. */
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
