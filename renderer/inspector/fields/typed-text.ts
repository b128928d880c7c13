/**
 * The text of one field while it is edited. It is sent after a short pause, and never overwrites a change that someone
 * else made meanwhile.
 */

/** Pause in typing before the text is sent, in milliseconds. */
export const typingPauseMs = 150;

/** The pause for incomplete text, such as a binding without its closing braces. */
export const unfinishedPauseMs = 2_000;

/** Maximum time until sent text is rendered after the document contains it, in milliseconds. */
const echoMs = 30;

/**
 * Applies typed text. Returns whether it was accepted; rejected text stays in the field.
 * @param mergeKey the same for all text typed while the field has the focus
 */
export type SendText = (text: string, mergeKey: string) => Promise<boolean> | boolean;

/** The state that the field renders. */
export interface DrawnText {
  /** Null to show the text of the document. */
  readonly draft: string | null;
  /** Whether typed text is held back because the document has changed since typing began. */
  readonly isHeld: boolean;
}

interface TypedTextOptions {
  /** Unique for each field on screen. */
  readonly id: string;
  readonly shown: string;
  readonly send: SendText;
  readonly draw: (change: (now: DrawnText) => DrawnText) => void;
  /** Called with text that was held back when its field disappeared. */
  readonly onLost: (text: string) => void;
}

/** The fields with pending text. */
const waiting = new Set<TypedText>();

/** Sends the pending text of all fields. Called before an operation on the file's text. */
export function sendTyped(): void {
  for (const typed of [...waiting]) void typed.flush();
}

export class TypedText {
  readonly #options: TypedTextOptions;
  #shown: string;
  #send: SendText;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Typed text that exists only in the field: pending, rejected or held back. */
  #own: string | null = null;
  #isRefused = false;
  /** The text of the document when typing began. */
  #base: string;
  /** Sent texts that the document has not reported back yet, oldest first. On a slow machine this takes a while. */
  #echoes: string[] = [];
  /** Number of texts being sent. Changes of the document meanwhile are attributed to this field. */
  #underway = 0;
  #session = 0;

  constructor(options: TypedTextOptions) {
    this.#options = options;
    this.#shown = options.shown;
    this.#base = options.shown;
    this.#send = options.send;
  }

  /** Updates the text of the document, and the function that changes it, on each render. */
  update(shown: string, send: SendText): void {
    this.#send = send;
    if (shown === this.#shown) return;
    this.#shown = shown;
    const echo = this.#echoes.indexOf(shown);
    this.#echoes = echo === -1 ? [] : this.#echoes.slice(echo + 1);
    if (echo !== -1) this.#base = shown;
    if (this.#own === null && this.#underway === 0) this.#show(null);
  }

  /** @param pauseMs time to wait for more text before sending */
  type(text: string, pauseMs = typingPauseMs): void {
    if (this.#own === null && this.#underway === 0) this.#base = this.#shown;
    this.#own = text;
    this.#isRefused = false;
    this.#options.draw((now) => ({ ...now, draft: text }));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), pauseMs);
    waiting.add(this);
  }

  /** Sends the pending text. Resolves to whether the document contains everything that was typed. */
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
    // Keeps the text if the user returned and continued typing meanwhile.
    if ((await left) && this.#own === null) this.#show(null);
  }

  /** Discards the draft and shows the text of the document. */
  forget(): void {
    clearTimeout(this.#timer);
    waiting.delete(this);
    this.#own = null;
    this.#isRefused = false;
    this.#base = this.#shown;
    this.#show(null);
  }

  /** Sends the text that was held back, replacing the current text of the document. */
  keepMine(): void {
    this.#base = this.#shown;
    this.#options.draw((now) => ({ ...now, isHeld: false }));
    void this.leave();
  }

  /** Called when the field disappears. */
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
