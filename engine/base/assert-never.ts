/**
 * Ends an exhaustive `switch` over a closed union, so that an unhandled member is a compile error.
 * @throws Error for a value that the types exclude
 */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
