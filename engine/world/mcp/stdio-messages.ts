/**
 * Splits the standard output of a server into messages and other lines. Many programs print a greeting, progress or
 * logs there, write JSON over several lines, or begin with a byte order mark.
 */
import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { MAX_MESSAGE_BYTES, openBrackets } from '../../base/json-limits.ts';
import { scanJson } from '../../language/schema/scan-json.ts';
import { quotedNote, readMessages, refusalOf, searchedForId } from './read-message.ts';

/** Maximum number of objects in a line that are tried as messages if the line itself is not one. */
const mostTried = 20;
/** Number of bytes that contain the characters searched for an ID. */
const beginBytes = 4 * searchedForId;

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters that terminals are controlled with.
const controlSequence = /\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[@-Z\\-_])/g;

/** Replaces the SDK's buffer, which supports only one message per line. */
export class StdioMessages {
  readonly #onLog: (text: string) => void;
  /** Pieces of an unfinished line. */
  #pieces: Buffer[] = [];
  #size = 0;
  /** Whether the line is too large and its rest is discarded. */
  #isOverlong = false;
  #ready: JSONRPCMessage[] = [];
  /** Lines of unfinished JSON and the number of open brackets. */
  #begun: { text: string; open: number } | undefined;

  /** @param onLog called with each line that is not a message */
  constructor(onLog: (text: string) => void) {
    this.#onLog = onLog;
  }

  /** Adds output. @throws Error if a message is too large and its request is not known */
  append(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf('\n'); end !== -1; end = chunk.indexOf('\n', start)) {
      this.#keep(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  readMessage(): JSONRPCMessage | null {
    return this.#ready.shift() ?? null;
  }

  clear(): void {
    this.#pieces = [];
    this.#size = 0;
    this.#ready = [];
    this.#begun = undefined;
  }

  #keep(piece: Buffer): void {
    this.#size += piece.byteLength;
    this.#isOverlong ||= this.#size > MAX_MESSAGE_BYTES;
    this.#pieces.push(piece);
    // Its start and end identify the request.
    if (this.#isOverlong && this.#pieces.length > 2) {
      const line = Buffer.concat(this.#pieces);
      this.#pieces = [line.subarray(0, beginBytes), line.subarray(Math.max(beginBytes, line.length - searchedForId))];
    }
  }

  #endLine(): void {
    const [first] = this.#pieces;
    const line = first !== undefined && this.#pieces.length === 1 ? first : Buffer.concat(this.#pieces);
    const isOverlong = this.#isOverlong;
    this.#pieces = [];
    this.#size = 0;
    this.#isOverlong = false;
    if (isOverlong) this.#refuse(line);
    else this.#takeLine(line.toString('utf8'));
  }

  #refuse(line: Buffer): void {
    const message = `The server sent a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB`;
    const refused = refusalOf(
      line.subarray(0, beginBytes).toString('utf8'),
      line.subarray(-searchedForId).toString('utf8'),
      message,
    );
    if (refused === undefined) throw new Error(message);
    this.#onLog(`${message}.\n`);
    this.#ready.push(refused);
  }

  #takeLine(written: string): void {
    const line = written
      .replace(/^\uFEFF/, '')
      .replace(controlSequence, '')
      .trim();
    if (line === '') return;
    const begun = this.#begun;
    if (begun === undefined) this.#begin(line);
    // A complete one-line message in between shows that the unfinished text is not a message.
    else if (line.startsWith('{') && this.#take(line)) this.#drop();
    else this.#proceed(begun, line);
  }

  #begin(line: string): void {
    if (this.#take(line)) return;
    const open = /^[[{]/.test(line) ? openBrackets(line) : 0;
    if (open > 0) this.#begun = { text: line, open };
    else this.#takeParts(line);
  }

  #proceed(begun: { text: string; open: number }, line: string): void {
    begun.text += `\n${line}`;
    begun.open += openBrackets(line);
    if (begun.text.length > MAX_MESSAGE_BYTES) {
      this.#drop();
      return;
    }
    if (begun.open > 0) return;
    this.#begun = undefined;
    if (!this.#take(begun.text)) this.#takeParts(begun.text);
  }

  #drop(): void {
    const text = this.#begun?.text ?? '';
    this.#begun = undefined;
    this.#log(text);
  }

  /** Returns false if the text is not a single message. */
  #take(text: string): boolean {
    const messages = readMessages(text, () => this.#onLog(quotedNote));
    if (messages !== undefined) this.#ready.push(...messages);
    return messages !== undefined;
  }

  /** Finds messages that have other text before or after them in their line. */
  #takeParts(text: string): void {
    let from = 0;
    for (let tried = 0; tried < mostTried; tried++) {
      const begin = text.indexOf('{', from);
      if (begin === -1) break;
      const { end } = scanJson(text, begin);
      if (end === undefined || !this.#take(text.slice(begin, end))) {
        if (end === undefined) break;
        this.#log(text.slice(from, end));
      } else this.#log(text.slice(from, begin));
      from = end;
    }
    this.#log(text.slice(from));
  }

  #log(text: string): void {
    const words = text.trim();
    if (words !== '') this.#onLog(`${words}\n`);
  }
}
