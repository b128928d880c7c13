/**
 * How much JSON from outside may hold. Checked once, where a text comes in, so that every later step can walk through its value.
 */

/** Lists and maps inside each other in JSON that is read from outside. */
export const MAX_JSON_DEPTH = 500;

/** Lists and maps inside each other in a value that code of a node, an agent or a tool returns. */
export const MAX_VALUE_DEPTH = 1000;

/** Lists and maps inside each other in the schema of a tool of an MCP server. */
export const MAX_TOOL_SCHEMA_DEPTH = 64;

/** The schema of a tool of an MCP server, in bytes of its JSON text. */
export const MAX_TOOL_SCHEMA_BYTES = 64 * 1024;

/** One message of an MCP server or client, in bytes. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** Lists and maps inside each other in a message of an MCP server; one with more is not parsed. What it holds has its own, lower limits. */
export const MAX_MESSAGE_DEPTH = 100_000;

/** Says that a JSON text is nested too deeply, as a predicate for the sentence `X …`. */
export const tooDeepText = `is nested more than ${MAX_JSON_DEPTH} levels deep`;

/**
 * The words of what a parser threw, for a message. Parsers of other formats recurse, and say of a text that is nested too deeply only that
 * their stack is full.
 */
export function parserWords(thrown: unknown): string {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  return /maximum call stack/i.test(words) ? `it ${tooDeepText}` : words;
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether lists and maps in a JSON text are nested more than `most` levels deep. Takes one pass and no stack; brackets in strings do not
 * count. Of a text that is not JSON, says whether its brackets are.
 */
export function isDeeperThan(text: string, most: number): boolean {
  // Each level takes at least one character.
  return text.length > most && openBrackets(text, most) > most;
}

/** How many brackets a JSON text, or whole lines of one, leaves open; `most` + 1 as soon as more than `most` are. */
export function openBrackets(text: string, most = Number.POSITIVE_INFINITY): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at + 1) - 1;
    else if (code === 0x7b || code === 0x5b) {
      if (++depth > most) break;
    } else if (code === 0x7d || code === 0x5d) depth--;
  }
  return depth;
}

/**
 * The place behind the quote that ends a string of JSON; the length of the text when none does.
 * @param inside behind the quote that begins it
 */
export function endOfString(text: string, inside: number): number {
  for (let end = text.indexOf('"', inside); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (end - slashes > inside && text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Whether lists and maps in a value are nested more than `most` levels deep. Takes no stack. */
export function isValueDeeperThan(value: unknown, most: number): boolean {
  let level = containersIn([value]);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((container) => containersIn(Object.values(container)));
  }
  return false;
}

/** Puts null in place of all that is nested more than `most` levels deep, so that what walks through the value keeps its stack. */
export function cutBelow(value: unknown, most: number): void {
  let level = containersIn([value]);
  for (let depth = 1; depth < most && level.length > 0; depth++)
    level = level.flatMap((container) => containersIn(Object.values(container)));
  for (const container of level as Record<string, unknown>[]) {
    for (const [key, inner] of Object.entries(container)) if (containersIn([inner]).length > 0) container[key] = null;
  }
}

function containersIn(values: readonly unknown[]): readonly object[] {
  return values.filter((value) => typeof value === 'object' && value !== null) as readonly object[];
}
