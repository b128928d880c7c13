/**
 * Ends an exhaustive `switch` over a closed union: an unhandled member is a compile error here.
 * @throws Error for a value that the types exclude
 */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
