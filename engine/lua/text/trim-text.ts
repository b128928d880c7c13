/**
 * Takes white space, as Unicode defines it, from the ends of texts.
 */
const whitePattern = /\p{White_Space}/u;

/** By signs instead of by one pattern: a pattern for the end of a text would begin anew at every white sign. */
export function trimTextStart(text: string): string {
  let from = 0;
  while (from < text.length && whitePattern.test(text[from] ?? '')) from++;
  return text.slice(from);
}

export function trimTextEnd(text: string): string {
  let end = text.length;
  while (end > 0 && whitePattern.test(text[end - 1] ?? '')) end--;
  return text.slice(0, end);
}

/** From both ends. */
export function trimText(text: string): string {
  return trimTextEnd(trimTextStart(text));
}
