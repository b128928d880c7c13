/**
 * Creates values on first use.
 */

/** Returns a function that calls `make` once and returns its value every time. */
export function late<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
