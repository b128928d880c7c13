/**
 * Snippets as Monaco writes them.
 */

/** A place to go to that holds a text, which is marked there. */
export function slot(text: string): string {
  return `$\{1:${literal(text)}}`;
}

/** A text that stands as it is. */
export function literal(text: string): string {
  return text.replaceAll(/[$}\\]/g, '\\$&');
}
