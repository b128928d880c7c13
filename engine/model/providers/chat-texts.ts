/**
 * Takes the words out of the chunks of an answer and passes them on at once: through the SDK, each chunk would pass four more stages
 * of streams and two checks by schemas.
 */
import type { ChatChunk } from './chat-chunks.ts';

/** Gets the words of an answer, piece by piece. */
export interface WordListener {
  onWords(kind: WordKind, piece: string): void;
}

/** Part of the answer, or of what the model thought before it. */
export type WordKind = 'text' | 'reasoning';

/** The first pieces of an answer are passed on as they came: in a short one there is nothing to gain by joining them. */
const freePieces = 8;

export class ChatTexts {
  readonly #listener: WordListener;
  #passed = 0;
  #isFirst = true;
  #kind: WordKind = 'text';
  /** Of one kind, and not passed on yet. */
  #waiting: string[] = [];

  constructor(listener: WordListener) {
    this.#listener = listener;
  }

  /**
   * Passes on the words of chunks that arrived together, joined.
   * @returns what else they hold, as the SDK reads it
   */
  take(chunks: readonly ChatChunk[]): readonly ChatChunk[] {
    const rest = chunks.flatMap((chunk) => this.#withoutWords(chunk));
    this.#pass();
    return rest;
  }

  #withoutWords(chunk: ChatChunk): readonly ChatChunk[] {
    const { choices, ...head } = chunk;
    const [choice] = Array.isArray(choices) ? (choices as readonly Choice[]) : [];
    const { content, reasoning_content: thought, ...delta } = choice?.delta ?? {};
    this.#add('reasoning', thought);
    this.#add('text', content);
    const isMore = choice !== undefined && (Object.keys(delta).length > 0 || choice.finish_reason !== null);
    const isNeeded = isMore || 'usage' in chunk || 'error' in chunk || this.#isFirst;
    this.#isFirst = false;
    if (!isNeeded) return [];
    return [choices === undefined ? chunk : { ...head, choices: isMore ? [{ ...choice, delta }] : [] }];
  }

  #add(kind: WordKind, piece: unknown): void {
    if (typeof piece !== 'string' || piece === '') return;
    if (kind !== this.#kind || this.#passed < freePieces) this.#pass();
    this.#kind = kind;
    this.#waiting.push(piece);
  }

  #pass(): void {
    if (this.#waiting.length === 0) return;
    const words = this.#waiting.join('');
    this.#waiting = [];
    this.#passed++;
    this.#listener.onWords(this.#kind, words);
  }
}

interface Choice {
  readonly delta?: Readonly<Record<string, unknown>>;
  readonly finish_reason?: string | null;
}
