/**
 * Parses a URL of any scheme; undefined if it is invalid. `URL.canParse` is not used: optimized code of Node 20 passes
 * it text with letters such as "ü" in the wrong encoding, so that it rejects valid URLs.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base?.toString());
  } catch {
    return undefined;
  }
}
