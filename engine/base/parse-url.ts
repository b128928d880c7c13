/**
 * Parses a URL of any scheme; undefined if it is invalid. `URL.canParse` is not used: in Node 20, optimized code passes
 * text with letters such as "ü" to it in the wrong encoding, and it then rejects valid URLs.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base?.toString());
  } catch {
    return undefined;
  }
}
