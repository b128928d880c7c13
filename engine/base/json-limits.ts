/**
 * Limits for JSON from outside the program. They are checked once when text is received, so that later code can safely
 * recurse through the value.
 */

/** Maximum nesting of lists and maps in JSON that is read from outside. */
export const MAX_JSON_DEPTH = 500;

/** Maximum nesting of lists and maps in a value returned by the code of a node, agent or tool. */
export const MAX_VALUE_DEPTH = 1000;

/** Maximum nesting of lists and maps in the schema of an MCP tool. */
export const MAX_TOOL_SCHEMA_DEPTH = 64;

/** Maximum size of an MCP tool's schema, in bytes of JSON text. */
export const MAX_TOOL_SCHEMA_BYTES = 64 * 1024;

/** Maximum size of a message from an MCP server or client, in bytes. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/**
 * Maximum nesting of lists and maps in a message from an MCP server. Deeper messages are not parsed. The contents of
 * messages have lower limits.
 */
export const MAX_MESSAGE_DEPTH = 100_000;

/** Predicate of a sentence about JSON text that is nested too deeply. */
export const tooDeepText = `is nested more than ${MAX_JSON_DEPTH} levels deep`;

/**
 * Returns a parser error's message. Recursive parsers of other formats report a stack overflow for deeply nested text;
 * its message is replaced.
 */
export function parserErrorText(thrown: unknown): string {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  return /maximum call stack/i.test(words) ? `it ${tooDeepText}` : words;
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * Returns whether lists and maps in JSON text are nested more than `most` levels deep. Takes one pass without recursion
 * and ignores brackets in strings. For text that is not JSON, only counts its brackets.
 */
export function isDeeperThan(text: string, most: number): boolean {
  // Each level takes at least one character.
  return text.length > most && openBrackets(text, most) > most;
}

/** Returns the number of unclosed brackets in JSON text, or in whole lines of it. Stops counting at `most` + 1. */
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
 * Returns the offset after the quote that closes a JSON string, or the length of the text if it is unclosed.
 * @param inside offset after the opening quote
 */
export function endOfString(text: string, inside: number): number {
  for (let end = text.indexOf('"', inside); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (end - slashes > inside && text.charCodeAt(end - 1 - slashes) === backslash) slashes++;
    if (slashes % 2 === 0) return end + 1;
  }
  return text.length;
}

/** Returns whether lists and maps in a value are nested more than `most` levels deep. Uses no recursion. */
export function isValueDeeperThan(value: unknown, most: number): boolean {
  let level = containersIn([value]);
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > most) return true;
    level = level.flatMap((container) => containersIn(Object.values(container)));
  }
  return false;
}

/** Replaces values nested more than `most` levels deep with null, so that later code can recurse through the value. */
export function truncateNesting(value: unknown, most: number): void {
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
