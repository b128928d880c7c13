/**
 * Defines which names a workspace in a shared history can have.
 */

/** Maximum number of characters. */
export const longestWorkspace = 200;

/** Control characters, also those that change the direction of text, would disguise the name. */
const form = /^[^\p{Control}\p{Surrogate}\p{Bidi_Control}]+$/u;

export function isWorkspaceName(name: string): boolean {
  return name.length <= longestWorkspace && form.test(name);
}
