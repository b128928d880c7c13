/**
 * Inserts a tool call's parameters into its manifest's request. A parameter cannot affect anything else: it changes
 * neither the host, the path's folders nor other query parameters, and adds no header or body field.
 */
import { EngineError } from '../../base/engine-error.ts';
import { type Binding, parseTemplate } from '../../language/bindings/binding-template.ts';
import { secretRoot } from '../../language/bindings/secret-bindings.ts';
import { type JsonValue, textForm } from '../../language/json/json-value.ts';

/** Returns a binding's value, written as in the manifest. */
export type ValueFor = (source: string) => JsonValue;

/** A path segment between two slashes, and the parameters in it. */
interface UrlPathSegment {
  text: string;
  readonly names: Set<string>;
  /** Whether the segment consists only of parameters. */
  isBound: boolean;
}

/**
 * Fills a URL.
 * @throws EngineError `tool.bad-param` for a parameter that would affect other parts
 */
export function filledAddress(template: string, valueFor: ValueFor): string {
  const { parts } = parseTemplate(template);
  const [first, second] = parts;
  // The caller determines a URL that begins with a parameter.
  const base = first !== undefined && typeof first !== 'string' ? textForm(valueFor(first.source)) : undefined;
  if (base !== undefined && second !== undefined && /[?#]/.test(base)) {
    throw badParam(nameOf(first as Binding), 'contains ? or #, but more of the address follows');
  }
  const address = new Address(base ?? '', template);
  for (const part of base === undefined ? parts : parts.slice(1)) {
    if (typeof part === 'string') address.write(part);
    else if (part.path[0] === secretRoot) address.write(textForm(valueFor(part.source)));
    else address.put(nameOf(part), textForm(valueFor(part.source)));
  }
  return address.end();
}

class Address {
  #text = '';
  /** The current path segment; undefined before and after the path. */
  #segment: UrlPathSegment | undefined;
  readonly #template: string;

  constructor(base: string, template: string) {
    this.#template = template;
    this.write(base);
  }

  /** Adds text from the manifest. */
  write(text: string): void {
    for (const sign of text) {
      const isInPath = this.#zone === 'path';
      this.#text += sign;
      if (sign === '/' || sign === '?' || sign === '#') this.#closeSegment();
      else if (isInPath && this.#segment !== undefined) {
        this.#segment.text += sign;
        this.#segment.isBound = false;
      }
      if (sign === '/' && this.#zone === 'path') this.#segment = { text: '', names: new Set(), isBound: true };
    }
  }

  /** Adds a parameter. */
  put(name: string, value: string): void {
    const isHost = this.#zone === 'host';
    if (isHost) this.#checkHost(name, value);
    const encoded = isHost ? value : encodedPart(name, value);
    this.#text += encoded;
    if (this.#segment === undefined) return;
    this.#segment.text += encoded;
    this.#segment.names.add(name);
  }

  end(): string {
    this.#closeSegment();
    return this.#text;
  }

  get #zone(): 'host' | 'path' | 'rest' {
    if (/[?#]/.test(this.#text)) return 'rest';
    return /^[^/]*\/\/[^/]*\//.test(this.#text) ? 'path' : 'host';
  }

  /** A parameter that is only part of the host must be a single label. */
  #checkHost(name: string, value: string): void {
    const isWhole = /^https?:\/\/\{\{[^}]*\}\}(?:[/?#]|$)/i.test(this.#template);
    if (isWhole ? /^[\w.-]+(?::\d{1,5})?$/.test(value) : /^[\w-]+$/.test(value)) return;
    throw badParam(name, 'is part of a host, so it can contain only letters, digits, - and _');
  }

  #closeSegment(): void {
    const { names, text, isBound } = this.#segment ?? { names: new Set<string>(), text: '', isBound: false };
    this.#segment = undefined;
    if (names.size === 0) return;
    const shown = [...names].join(' and ');
    if (isBound && text === '') throw badParam(shown, 'is empty, so the address would have another meaning');
    if (/^\.\.?$/.test(fullyDecoded(text))) {
      throw badParam(
        shown,
        'would change the folder of the address, because . and .. have a special meaning in a path',
      );
    }
  }
}

function encodedPart(name: string, value: string): string {
  try {
    return encodeURIComponent(value);
  } catch {
    throw badParam(name, 'contains half a character (a lone surrogate), which is not allowed in an address');
  }
}

/** Servers and proxies may decode several times. */
const mostDecodings = 5;

function fullyDecoded(text: string): string {
  let decoded = text;
  for (let round = 0; round < mostDecodings; round++) {
    decoded = decoded.replace(/%([2-7][\da-f])/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  }
  return decoded;
}

/** Fills a header's value. @throws EngineError `tool.bad-param` for characters that are invalid in headers */
export function filledHeader(header: string, template: string, valueFor: ValueFor): string {
  return joined(template, valueFor, (text, name) => {
    if (/^[\t\x20-\x7e\x80-\xff]*$/.test(text)) return text;
    throw badParam(
      name,
      `cannot be sent in the header ${header}: it contains a line break or a character that is not allowed in headers`,
    );
  });
}

/**
 * Fills a text body. In JSON, a parameter is a value or part of a string; in a form, a value; elsewhere it is inserted
 * unchanged.
 * @param type the request's content type, if it has one
 */
export function filledText(template: string, type: string | undefined, valueFor: ValueFor): JsonValue {
  const { parts } = parseTemplate(template);
  const [only] = parts;
  if (parts.length === 1 && only !== undefined && typeof only !== 'string') return valueFor(only.source);
  if (/^application\/x-www-form-urlencoded/i.test(type ?? '')) {
    return joined(template, valueFor, (text, name) => encodedPart(name, text));
  }
  const isJson = type === undefined ? /^\s*[{[]/.test(template) : /[/+]json\s*(?:;|$)/i.test(type);
  return isJson ? filledJson(parts, valueFor) : joined(template, valueFor, (text) => text);
}

function filledJson(parts: readonly (string | Binding)[], valueFor: ValueFor): string {
  let filled = '';
  let isInText = false;
  for (const part of parts) {
    if (typeof part === 'string') {
      filled += part;
      isInText = quotesIn(part) % 2 === 1 ? !isInText : isInText;
    } else {
      const value = valueFor(part.source);
      const isSecret = part.path[0] === secretRoot;
      filled += isSecret
        ? textForm(value)
        : isInText
          ? JSON.stringify(textForm(value)).slice(1, -1)
          : JSON.stringify(value);
    }
  }
  return filled;
}

/** Counts quotes that start or end a string, that is, quotes not preceded by an odd number of backslashes. */
function quotesIn(json: string): number {
  return [...json.matchAll(/(\\*)"/g)].filter(([, slashes = '']) => slashes.length % 2 === 0).length;
}

function joined(template: string, valueFor: ValueFor, written: (text: string, name: string) => string): string {
  return parseTemplate(template)
    .parts.map((part) => {
      if (typeof part === 'string') return part;
      const text = textForm(valueFor(part.source));
      return part.path[0] === secretRoot ? text : written(text, nameOf(part));
    })
    .join('');
}

/** Returns the name in the manifest: `town` for `{{params.town}}`. */
function nameOf({ path }: Binding): string {
  return path.slice(1).join('.') || 'params';
}

function badParam(name: string, why: string): EngineError {
  return new EngineError({
    code: 'tool.bad-param',
    message: `The parameter ${name} ${why}. Call the tool with another value.`,
    details: { param: name },
  });
}
