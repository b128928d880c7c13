/** A failure whose message says all that the user needs to know; shown without a stack. */
export class ToolError extends Error {
  /** @override */
  name = 'ToolError';
}
