/** A failure whose message tells the user all there is to know; shown without a stack. */
export class ToolError extends Error {
  /** @override */
  name = 'ToolError';
}
