/**
 * Joins pieces of text that come faster than a screen shows them. A model may send 200 a second, and each chunk takes the SDK about
 * 0.1 ms whatever its length.
 */
import { systemClock } from '../../base/clock.ts';
import type { ChatChunk } from './chat-chunks.ts';

/** How long, in milliseconds, a piece waits for more: two frames of a screen, which readers do not notice. */
const frameMs = 32;
/** The first chunks of an answer are not joined: in a short one there is nothing to gain. */
const freeChunks = 8;

const isTime: unique symbol = Symbol('time');

/**
 * The same chunks, but a text and another one that follows it within a frame are one, and so are thoughts. Everything else passes
 * at once.
 */
export async function* joinedTexts(chunks: AsyncIterator<ChatChunk>): AsyncGenerator<ChatChunk, undefined> {
  const joiner = new TextJoiner();
  let next = nextOf(chunks);
  try {
    for (;;) {
      const got = await (joiner.frame === undefined ? next : Promise.race([next, joiner.frame]));
      if (got === isTime) {
        yield* joiner.endFrame();
      } else if ('chunk' in got) {
        next = nextOf(chunks);
        yield* joiner.take(got.chunk);
      } else {
        yield* joiner.endFrame();
        if ('thrown' in got) throw got.thrown;
        return undefined;
      }
    }
  } finally {
    // A reader that stops early closes the connection. Not awaited: the next chunk may never come.
    chunks.return?.().catch(() => undefined);
  }
}

class TextJoiner {
  /** Ends with the present frame; undefined when none has begun. */
  frame: Promise<typeof isTime> | undefined;
  #held: ChatChunk | undefined;
  #taken = 0;

  /** Returns the chunks that pass now. */
  take(chunk: ChatChunk): readonly ChatChunk[] {
    const joined = this.#held === undefined ? undefined : joinedText(this.#held, chunk);
    if (joined !== undefined) {
      this.#held = joined;
      return [];
    }
    const passing = this.#held === undefined ? [] : [this.#held];
    const isWaiting = this.frame !== undefined && textIn(chunk) !== undefined;
    this.#held = isWaiting ? chunk : undefined;
    if (++this.#taken > freeChunks) this.frame ??= frameEnd();
    return isWaiting ? passing : [...passing, chunk];
  }

  /** Returns what has waited. */
  endFrame(): readonly ChatChunk[] {
    const held = this.#held;
    this.#held = undefined;
    this.frame = held === undefined ? undefined : frameEnd();
    return held === undefined ? [] : [held];
  }
}

function frameEnd(): Promise<typeof isTime> {
  return new Promise((resolve) => {
    systemClock.setTimer(() => resolve(isTime), frameMs);
  });
}

type Next = { readonly chunk: ChatChunk } | { readonly thrown: unknown } | { readonly isOver: true };

/** Never rejects: a piece that waits is passed on before the failure that follows it. */
async function nextOf(chunks: AsyncIterator<ChatChunk>): Promise<Next> {
  try {
    const { done, value } = await chunks.next();
    return done === true ? { isOver: true } : { chunk: value };
  } catch (thrown) {
    return { thrown };
  }
}

interface ChunkText {
  readonly key: 'content' | 'reasoning_content';
  readonly text: string;
}

/** The text of a chunk that holds nothing else. */
function textIn({ choices, usage }: ChatChunk): ChunkText | undefined {
  const [choice] = Array.isArray(choices) ? (choices as { readonly delta?: Readonly<Record<string, unknown>> }[]) : [];
  const [entry, other] = Object.entries(choice?.delta ?? {});
  if (usage !== undefined || entry === undefined || other !== undefined) return undefined;
  const [key, text] = entry;
  const isText = (key === 'content' || key === 'reasoning_content') && typeof text === 'string';
  return isText ? { key, text } : undefined;
}

/** Both in one chunk; undefined when they are not of one kind. */
function joinedText(first: ChatChunk, second: ChatChunk): ChatChunk | undefined {
  const [before, after] = [textIn(first), textIn(second)];
  if (before === undefined || after === undefined || before.key !== after.key) return undefined;
  const delta = { [before.key]: before.text + after.text };
  return { ...second, choices: [{ index: 0, delta, finish_reason: null }] };
}
