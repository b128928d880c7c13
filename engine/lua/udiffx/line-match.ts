/**
 * How alike a line of a patch and a line of a file must be, from strict to lenient.
 */

/** `Strict`: the same. `Resilient`: but for white space and the like. `Fuzzy`: but for letter case and the like, too. */
export type MatchTier = 'Strict' | 'Resilient' | 'Fuzzy';

export const matchTiers: readonly MatchTier[] = ['Strict', 'Resilient', 'Fuzzy'];

/** A part of a line counts for the whole of it when it is its end and at least so long. */
const suffixLength = 10;
/** Shorter lines are too alike without their white space. */
const denseLength = 4;

function withoutEnd(text: string, isEnd: (sign: string) => boolean): string {
  let end = text.length;
  while (end > 0 && isEnd(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

/** White space, the level of a heading, and one `;` or `,` at the end do not count. */
function resilientForm(trimmed: string): string {
  const collapsed = trimmed.replace(/\s+/g, ' ').replace(/^#{1,6} /, '# ');
  return /[;,]$/.test(collapsed) ? collapsed.slice(0, -1).trimEnd() : collapsed;
}

/** Letter case, backticks, signs at the end, and `_` within numbers do not count either. */
function fuzzyForm(resilient: string): string {
  const plain = resilient.toLowerCase().replaceAll('`', '');
  return withoutEnd(plain.replace(/(?<=[0-9a-f])_(?=[0-9a-f])/g, ''), (sign) => /[!-/:-@[-^{-~ ]/.test(sign));
}

/** A line in the forms that are compared. They are made when they are asked for: most patches fit strictly. */
export class ComparedLine {
  readonly text: string;
  readonly trimmed: string;
  #resilient: string | undefined;
  #fuzzy: string | undefined;
  #dense: string | undefined;

  constructor(text: string) {
    this.text = text;
    this.trimmed = text.trim();
  }

  get isBlank(): boolean {
    return this.trimmed === '';
  }

  get resilient(): string {
    this.#resilient ??= resilientForm(this.trimmed);
    return this.#resilient;
  }

  get fuzzy(): string {
    this.#fuzzy ??= fuzzyForm(this.resilient);
    return this.#fuzzy;
  }

  /** Without any white space. */
  get dense(): string {
    this.#dense ??= this.fuzzy.replaceAll(' ', '');
    return this.#dense;
  }
}

/** What stands before the found part must not make a comment of it. */
function isSuffix(part: string, whole: string): boolean {
  if (part.length < suffixLength || !whole.endsWith(part)) return false;
  return !/^(?:\/\/|#|--|<!--|\*|\/\*)\s*$/.test(whole.slice(0, -part.length));
}

function isResilientMatch(wanted: ComparedLine, found: ComparedLine): boolean {
  return wanted.resilient === found.resilient || isSuffix(wanted.trimmed, found.trimmed);
}

function isFuzzyMatch(wanted: ComparedLine, found: ComparedLine): boolean {
  if (wanted.fuzzy === found.fuzzy && (wanted.fuzzy !== '' || wanted.isBlank)) return true;
  if (isSuffix(wanted.fuzzy, found.fuzzy)) return true;
  return wanted.dense.length >= denseLength && wanted.dense === found.dense;
}

/**
 * Whether a line of a file is the one that a patch means.
 * @param wanted the line of the patch
 */
export function isMatch(tier: MatchTier, wanted: ComparedLine, found: ComparedLine): boolean {
  if (wanted.text === found.text) return true;
  if (tier === 'Strict') return false;
  if (wanted.isBlank || found.isBlank) return wanted.isBlank && found.isBlank;
  return isResilientMatch(wanted, found) || (tier === 'Fuzzy' && isFuzzyMatch(wanted, found));
}
