/**
 * The text of one field while a person types: sent shortly after, and never over what somebody else wrote meanwhile.
 */

/** How long typing rests before it is sent, in milliseconds. */
export const typingPauseMs = 150;

/** The same of text that cannot be right yet, such as a binding without its end. */
export const unfinishedPauseMs = 2_000;

/** How long what was sent may take to be drawn after the document has it, in milliseconds. */
const echoMs = 30;

/**
 * Takes typed text over. Gives whether it did; text that it refuses stays in the field.
 * @param mergeKey the same for all that was typed between entering and leaving the field
 */
export type SendText = (text: string, mergeKey: string) => Promise<boolean> | boolean;

/** What the field draws. */
export interface DrawnText {
  /** Null = what the document says. */
  readonly draft: string | null;
  /** Typed text was held back, since the document says something else than what it was typed over. */
  readonly isHeld: boolean;
}

interface TypedTextOptions {
  /** Different for each field on screen. */
  readonly id: string;
  readonly shown: string;
  readonly send: SendText;
  readonly draw: (change: (now: DrawnText) => DrawnText) => void;
  /** Called with text that was held back when its field went away. */
  readonly onLost: (text: string) => void;
}

/** The fields with text that waits to be sent. */
const waiting = new Set<TypedText>();

/** Sends what waits in fields, before something is done with the text of the file. */
export function sendTyped(): void {
  for (const typed of [...waiting]) void typed.flush();
}

export class TypedText {
  readonly #options: TypedTextOptions;
  #shown: string;
  #send: SendText;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Typed, and in the field only: not sent yet, refused or held back. */
  #own: string | null = null;
  #isRefused = false;
  /** What the document said when that was begun. */
  #base: string;
  /** What was sent and the document was not heard to say yet, the oldest first: on a slow machine that takes its time. */
  #echoes: string[] = [];
  /** How many texts are on their way. What the document comes to say meanwhile counts as ours. */
  #underway = 0;
  #session = 0;

  constructor(options: TypedTextOptions) {
    this.#options = options;
    this.#shown = options.shown;
    this.#base = options.shown;
    this.#send = options.send;
  }

  /** What the document says, and how to change it, since the last drawing. */
  update(shown: string, send: SendText): void {
    this.#send = send;
    if (shown === this.#shown) return;
    this.#shown = shown;
    const echo = this.#echoes.indexOf(shown);
    this.#echoes = echo === -1 ? [] : this.#echoes.slice(echo + 1);
    if (echo !== -1) this.#base = shown;
    if (this.#own === null && this.#underway === 0) this.#show(null);
  }

  /** @param pauseMs how long it waits for more before it is sent */
  type(text: string, pauseMs = typingPauseMs): void {
    if (this.#own === null && this.#underway === 0) this.#base = this.#shown;
    this.#own = text;
    this.#isRefused = false;
    this.#options.draw((now) => ({ ...now, draft: text }));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), pauseMs);
    waiting.add(this);
  }

  /** Sends what is waiting. Resolves with whether the document has all that was typed. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    waiting.delete(this);
    const text = this.#own;
    if (text === null) return true;
    if (this.#isRefused) return false;
    if (this.#isForeign(text)) {
      this.#options.draw((now) => ({ ...now, isHeld: true }));
      return false;
    }
    this.#own = null;
    this.#echoes.push(text);
    this.#underway++;
    const isTaken = await this.#send(text, `${this.#options.id} ${this.#session}`);
    await new Promise((resolve) => setTimeout(resolve, echoMs));
    this.#underway--;
    this.#base = this.#shown;
    if (!isTaken) this.#echoes = this.#echoes.filter((sent) => sent !== text);
    if (!isTaken && this.#own === null) {
      this.#own = text;
      this.#isRefused = true;
    }
    return isTaken;
  }

  async leave(): Promise<void> {
    const left = this.flush();
    this.#session++;
    // Whoever came back and typed on meanwhile keeps that.
    if ((await left) && this.#own === null) this.#show(null);
  }

  /** Goes back to what the document says. */
  forget(): void {
    clearTimeout(this.#timer);
    waiting.delete(this);
    this.#own = null;
    this.#isRefused = false;
    this.#base = this.#shown;
    this.#show(null);
  }

  /** Sends what was held back over what the document says by now. */
  keepMine(): void {
    this.#base = this.#shown;
    this.#options.draw((now) => ({ ...now, isHeld: false }));
    void this.leave();
  }

  /** The field goes away. */
  end(): void {
    const text = this.#own;
    waiting.delete(this);
    if (text !== null && this.#isForeign(text)) this.#options.onLost(text);
    else void this.flush();
  }

  #isForeign(text: string): boolean {
    return this.#underway === 0 && this.#shown !== this.#base && this.#shown !== text;
  }

  #show(draft: string | null): void {
    this.#options.draw(() => ({ draft, isHeld: false }));
  }
}
