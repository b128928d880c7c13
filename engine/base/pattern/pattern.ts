/**
 * Regular expressions that come from files and data, matched in time that grows only with their length times that of the text.
 *
 * The engine's own expressions go back and try again, for ever with `(a+)+$`, and nothing stops them. These here keep all ways that
 * a match can go at the same time, one step for each character. What only going back can do, they do not know: look-around and
 * back references.
 */
import { Compiler, type Program } from './pattern-program.ts';
import { PatternParser, PatternProblem, type Place } from './pattern-syntax.ts';

/** Instructions looked at before others may have a turn; about 20 ns each. */
const stepsPerYield = 5000;

export interface Pattern {
  /**
   * Whether the text, or with `whole` all of it from its first to its last character, matches. Yields the steps that it has taken
   * since it did so last.
   */
  matches(text: string, whole?: 'whole'): Generator<number, boolean>;
}

export interface PatternOptions {
  /** What `.` does not match, as inside brackets. */
  readonly lineEnds?: string;
}

/**
 * Compiles an expression in the syntax of JavaScript; it looks at whole characters, and `A` and `a` differ.
 * @returns the pattern, or what is wrong with it: `has look-around, which …`
 */
export function compilePattern(
  source: string,
  { lineEnds = '\\n\\r\\u2028\\u2029' }: PatternOptions = {},
): Pattern | { readonly problem: string } {
  try {
    const program = new Compiler().compile(new PatternParser(source, lineEnds).parse());
    return { matches: (text, whole) => run(program, text, whole === 'whole') };
  } catch (error) {
    if (error instanceof PatternProblem) return { problem: error.message };
    throw error;
  }
}

/** Where in the text the instructions are looked at. */
interface Position {
  readonly before: number;
  readonly after: number;
}

/** Stands for the start and the end of the text. */
const nothing = -1;

function* run(program: Program, text: string, isWhole: boolean): Generator<number, boolean> {
  let now = new Ways(program);
  let next = new Ways(program);
  let before = nothing;
  let unsaid = 0;
  for (let at = 0; ; ) {
    const after = text.codePointAt(at) ?? nothing;
    if (at === 0 || !isWhole) now.start({ before, after });
    const isEnd = after === nothing;
    if (now.hasMatch && (isEnd || !isWhole)) return true;
    if (isEnd) return false;
    at += unitsOf(after);
    next.clear();
    now.step(after, { before: after, after: text.codePointAt(at) ?? nothing }, next);
    unsaid += now.steps + 1;
    [now, next, before] = [next, now, after];
    if (unsaid < stepsPerYield) continue;
    yield unsaid;
    unsaid = 0;
  }
}

function unitsOf(codePoint: number): number {
  return codePoint > 0xffff ? 2 : 1;
}

/** The instructions at which a match may stand at one place of the text, each once. */
class Ways {
  readonly #program: Program;
  readonly #seen: Uint32Array;
  readonly #chars: Uint32Array;
  readonly #stack: number[] = [];
  #generation = 1;
  count = 0;
  hasMatch = false;
  /** How many instructions were looked at. */
  steps = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#seen = new Uint32Array(program.length);
    this.#chars = new Uint32Array(program.length);
  }

  clear(): void {
    this.#generation++;
    this.count = 0;
    this.steps = 0;
    this.hasMatch = false;
  }

  start(position: Position): void {
    this.#add(0, position);
  }

  /** Takes one character; those who can go on stand in `next`. */
  step(codePoint: number, position: Position, next: Ways): void {
    for (let index = 0; index < this.count; index++) {
      const at = this.#chars[index] ?? 0;
      const instruction = this.#program[at];
      if (instruction?.do === 'char' && instruction.test(codePoint)) next.#add(at + 1, position);
    }
  }

  #add(from: number, position: Position): void {
    this.#stack.push(from);
    for (let at = this.#stack.pop(); at !== undefined; at = this.#stack.pop()) {
      if (this.#seen[at] === this.#generation) continue;
      this.#seen[at] = this.#generation;
      this.steps++;
      this.#look(at, position);
    }
  }

  #look(at: number, position: Position): void {
    const instruction = this.#program[at];
    switch (instruction?.do) {
      case 'match':
        this.hasMatch = true;
        return;
      case 'char':
        this.#chars[this.count++] = at;
        return;
      case 'place':
        if (isAt(instruction.place, position)) this.#stack.push(at + 1);
        return;
      case 'go':
        this.#stack.push(instruction.to);
        if (instruction.or !== undefined) this.#stack.push(instruction.or);
        return;
      default:
    }
  }
}

function isAt(place: Place, { before, after }: Position): boolean {
  if (place === 'start') return before === nothing;
  if (place === 'end') return after === nothing;
  return (isWordSign(before) !== isWordSign(after)) === (place === 'word-edge');
}

function isWordSign(codePoint: number): boolean {
  return codePoint !== nothing && /\w/.test(String.fromCodePoint(codePoint));
}
