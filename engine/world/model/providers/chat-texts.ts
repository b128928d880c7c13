/**
 * Takes text and thinking out of a response's chunks and passes them on immediately. Through the SDK, each chunk would
 * go through four more streams and two schema validations.
 */
import type { ChatChunk } from './chat-chunks.ts';

/** Receives a response's text and thinking piece by piece. */
export interface WordListener {
  onWords(kind: WordKind, piece: string): void;
}

/** Part of the response, or of the thinking before it. */
export type WordKind = 'text' | 'reasoning';

/** The first pieces are not joined, because a short response gains nothing from it. */
const freePieces = 8;

export class ChatTexts {
  readonly #listener: WordListener;
  #passed = 0;
  #isFirst = true;
  #kind: WordKind = 'text';
  /** Pieces of one kind that have not been passed on. */
  #waiting: string[] = [];

  constructor(listener: WordListener) {
    this.#listener = listener;
  }

  /**
   * Passes on the joined text of chunks that arrived together.
   * @returns the remaining chunks, for the SDK
   */
  take(chunks: readonly ChatChunk[]): readonly ChatChunk[] {
    const rest = chunks.flatMap((chunk) => this.#withoutWords(chunk));
    this.#pass();
    return rest;
  }

  #withoutWords(chunk: ChatChunk): readonly ChatChunk[] {
    const { choices, ...head } = chunk;
    const [choice] = Array.isArray(choices) ? (choices as readonly ChatStreamChoice[]) : [];
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

interface ChatStreamChoice {
  readonly delta?: Readonly<Record<string, unknown>>;
  readonly finish_reason?: string | null;
}
