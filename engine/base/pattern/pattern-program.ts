/**
 * Compiles a pattern to instructions for Thompson's algorithm. Each instruction either consumes a character or jumps to
 * other instructions.
 */
import { type CharTest, type PatternAnchor, type PatternPart, PatternProblem } from './pattern-syntax.ts';

const mostInstructions = 10_000;

export type Instruction =
  | { readonly do: 'char'; readonly test: CharTest }
  | { readonly do: 'place'; readonly place: PatternAnchor }
  /** Continues at two instructions, or at one if `or` is absent. */
  | { readonly do: 'go'; to: number; or?: number }
  | { readonly do: 'match' };

export type PatternProgram = readonly Instruction[];

/** Compiles parts to instructions. For a count, the instructions of its part are repeated. */
export class Compiler {
  readonly #program: Instruction[] = [];

  compile(part: PatternPart): PatternProgram {
    this.#emit(part);
    this.#add({ do: 'match' });
    return this.#program;
  }

  #emit(part: PatternPart): void {
    switch (part.kind) {
      case 'char':
        this.#add({ do: 'char', test: part.test });
        return;
      case 'place':
        this.#add({ do: 'place', place: part.place });
        return;
      case 'all':
        for (const inner of part.parts) this.#emit(inner);
        return;
      case 'any':
        this.#emitAny(part.parts);
        return;
      case 'repeat':
        this.#emitRepeat(part);
        return;
    }
  }

  #emitAny(parts: readonly PatternPart[]): void {
    const ends: { to: number }[] = [];
    for (const [index, part] of parts.entries()) {
      const isLast = index === parts.length - 1;
      const fork = isLast ? undefined : this.#addGo(this.#next + 1);
      this.#emit(part);
      if (!isLast) ends.push(this.#addGo(0));
      if (fork !== undefined) fork.or = this.#next;
    }
    for (const end of ends) end.to = this.#next;
  }

  #emitRepeat({ part, min, max }: Extract<PatternPart, { kind: 'repeat' }>): void {
    for (let count = 0; count < min; count++) {
      const start = this.#next;
      this.#emit(part);
      // An empty part stays empty no matter how often it is repeated.
      if (this.#next === start) return;
    }
    if (max === Number.POSITIVE_INFINITY) {
      const fork = this.#addGo(this.#next + 1);
      const start = this.#next - 1;
      this.#emit(part);
      this.#addGo(start);
      fork.or = this.#next;
      return;
    }
    const forks: { or?: number }[] = [];
    for (let count = min; count < max; count++) {
      const start = this.#next;
      forks.push(this.#addGo(start + 1));
      this.#emit(part);
      if (this.#next === start + 1) break;
    }
    for (const fork of forks) fork.or = this.#next;
  }

  get #next(): number {
    return this.#program.length;
  }

  #addGo(to: number): { do: 'go'; to: number; or?: number } {
    const go: { do: 'go'; to: number; or?: number } = { do: 'go', to };
    this.#add(go);
    return go;
  }

  #add(instruction: Instruction): void {
    if (this.#next >= mostInstructions) throw new PatternProblem('is too large because its counts repeat too often');
    this.#program.push(instruction);
  }
}
