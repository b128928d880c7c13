/** An error with a message that contains everything the user needs to know. Shown without a stack. */
export class ToolError extends Error {
  /** @override */
  name = 'ToolError';
}
