/**
 * Matches regular expressions from files and data in time proportional to the length of the expression times the length
 * of the text.
 *
 * The built-in engine backtracks, for expressions such as `(a+)+$` practically forever, and cannot be interrupted. This
 * implementation tracks all possible matches at the same time, with one step per character. It does not support
 * features that require backtracking: look-around and back references.
 */
import { Compiler, type PatternProgram } from './pattern-program.ts';
import { type PatternAnchor, PatternParser, PatternProblem } from './pattern-syntax.ts';

/** Number of instructions executed before yielding. Each takes about 20 ns. */
const stepsPerYield = 5000;

export interface Pattern {
  /**
   * Tests whether the pattern occurs in the text, or with `whole` matches all of it. Yields the number of steps since
   * the last yield.
   */
  matches(text: string, whole?: 'whole'): Generator<number, boolean>;
}

export interface PatternOptions {
  /** Characters that `.` does not match, in character class syntax. */
  readonly lineEnds?: string;
  /** Whether upper and lower case are the same. */
  readonly ignoreCase?: boolean;
}

/**
 * Compiles an expression in JavaScript syntax. Matches code points, by default case-sensitively.
 * @returns the pattern, or its problem: `has look-around, which …`
 */
export function compilePattern(
  source: string,
  { lineEnds = '\\n\\r\\u2028\\u2029', ignoreCase = false }: PatternOptions = {},
): Pattern | { readonly problem: string } {
  try {
    const program = new Compiler().compile(new PatternParser(source, { lineEnds, ignoreCase }).parse());
    return { matches: (text, whole) => run(program, text, whole === 'whole') };
  } catch (error) {
    if (error instanceof PatternProblem) return { problem: error.message };
    throw error;
  }
}

/** A position in the text at which instructions are evaluated. */
interface PatternPosition {
  readonly before: number;
  readonly after: number;
}

/** Represents the start and the end of the text. */
const nothing = -1;

function* run(program: PatternProgram, text: string, isWhole: boolean): Generator<number, boolean> {
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

/** The set of instructions that possible matches have reached at one text position. */
class Ways {
  readonly #program: PatternProgram;
  readonly #seen: Uint32Array;
  readonly #chars: Uint32Array;
  readonly #stack: number[] = [];
  #generation = 1;
  count = 0;
  hasMatch = false;
  /** Number of instructions evaluated. */
  steps = 0;

  constructor(program: PatternProgram) {
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

  start(position: PatternPosition): void {
    this.#add(0, position);
  }

  /** Consumes one character and adds the matches that continue to `next`. */
  step(codePoint: number, position: PatternPosition, next: Ways): void {
    for (let index = 0; index < this.count; index++) {
      const at = this.#chars[index] ?? 0;
      const instruction = this.#program[at];
      if (instruction?.do === 'char' && instruction.test(codePoint)) next.#add(at + 1, position);
    }
  }

  #add(from: number, position: PatternPosition): void {
    this.#stack.push(from);
    for (let at = this.#stack.pop(); at !== undefined; at = this.#stack.pop()) {
      if (this.#seen[at] === this.#generation) continue;
      this.#seen[at] = this.#generation;
      this.steps++;
      this.#look(at, position);
    }
  }

  #look(at: number, position: PatternPosition): void {
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

function isAt(place: PatternAnchor, { before, after }: PatternPosition): boolean {
  if (place === 'start') return before === nothing;
  if (place === 'end') return after === nothing;
  return (isWordSign(before) !== isWordSign(after)) === (place === 'word-edge');
}

function isWordSign(codePoint: number): boolean {
  return codePoint !== nothing && /\w/.test(String.fromCodePoint(codePoint));
}
