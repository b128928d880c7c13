/**
 * Ends a complete `switch` over a closed union: a member nobody handles fails to compile here.
 * @throws Error when a value arrives that the types say cannot exist
 */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
