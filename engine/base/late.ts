/**
 * Values that are made when they are first needed.
 */

/** Returns a function that calls `make` the first time, and returns its value each time. */
export function late<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
