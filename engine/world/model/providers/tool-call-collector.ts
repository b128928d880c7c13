/**
 * Assembles tool calls that arrive in pieces, identified by index, by ID, or only by their order.
 */

type ToolCallFields = Readonly<Record<string, unknown>>;

/** A complete call. */
export interface CollectedCall {
  readonly id?: string;
  readonly name: string;
  /** Text of the arguments: JSON, unless the model wrote something else. */
  readonly text: string;
  /** Data that the server expects back with the call. */
  readonly extra?: ToolCallFields;
}

interface PartialToolCall {
  readonly index: unknown;
  id: string;
  name: string;
  text: string;
  extra?: ToolCallFields;
}

export class ToolCallCollector {
  readonly #calls: PartialToolCall[] = [];

  /** Adds a piece, as in `{ index?, id?, function: { name?, arguments? } }`. */
  take(piece: ToolCallFields): void {
    const inner = isFields(piece['function']) ? piece['function'] : piece;
    const id = textOf(piece['id']);
    const name = textOf(inner['name']);
    const text = argumentsIn(inner['arguments'] ?? inner['parameters'] ?? inner['input']);
    const index = piece['index'] === null ? undefined : piece['index'];
    const known = this.#callOf({ index, id, name, text });
    // Some servers send a complete call again at its end.
    if (known !== undefined && known.id === id && id !== '' && known.text === text && isObject(text)) return;
    const call = known === undefined || isNextCall(known, { id, name, text }) ? this.#begin(index) : known;
    if (call.id === '') call.id = id;
    // Some servers repeat the name with each piece, others split it like the arguments.
    if (name !== call.name && call.text === '') call.name += name;
    call.text += text;
    if (isFields(piece['extra_content'])) call.extra = piece['extra_content'];
  }

  /** @returns the calls in order; `lost` counts calls that cannot be made because they have no name */
  end(): { readonly calls: readonly CollectedCall[]; readonly lost: number } {
    const named = this.#calls.filter(({ name }) => name !== '');
    const calls = named.map(({ id, name, text, extra }) => ({
      ...(id === '' ? {} : { id }),
      ...{ name, text: unwrapped(text) },
      ...(extra === undefined ? {} : { extra }),
    }));
    return { calls, lost: this.#calls.length - named.length };
  }

  #begin(index: unknown): PartialToolCall {
    const call: PartialToolCall = { index, id: '', name: '', text: '' };
    this.#calls.push(call);
    return call;
  }

  /** Returns the call that a piece may belong to. */
  #callOf({ index, id, name }: Omit<PartialToolCall, 'extra'>): PartialToolCall | undefined {
    if (index !== undefined) return this.#calls.findLast((one) => String(one.index) === String(index));
    const same = id === '' ? undefined : this.#calls.findLast((one) => one.id === id);
    return same ?? (name === '' ? this.#calls.at(-1) : undefined);
  }
}

/** Whether a piece starts another call, although the server gave it the index or id of this one. */
function isNextCall(call: PartialToolCall, { id, name, text }: Pick<PartialToolCall, 'id' | 'name' | 'text'>): boolean {
  if (name === '' || call.name === '') return false;
  if (isObject(call.text)) return text !== '' || (id !== '' && id !== call.id);
  return id !== '' && call.id !== '' && id !== call.id && (call.text === '' || text.trimStart().startsWith('{'));
}

/** Some hosts return the arguments as a value. */
function argumentsIn(value: unknown): string {
  if (typeof value === 'string') return value;
  return value === undefined || value === null ? '' : JSON.stringify(value);
}

/** Returns the text of the arguments: `{}` if empty, and without the quotation marks of nested JSON. */
function unwrapped(text: string): string {
  if (text.trim() === '') return '{}';
  if (!text.trimStart().startsWith('"')) return text;
  const inner = parsed(text);
  return typeof inner === 'string' && isObject(inner) ? inner : text;
}

function isObject(text: string): boolean {
  return text.trimEnd().endsWith('}') && isFields(parsed(text));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

function isFields(value: unknown): value is ToolCallFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
