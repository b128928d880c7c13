/**
 * Finds dependency cycles.
 */

/** Each item's dependencies, by name. */
export type Dependencies = ReadonlyMap<string, readonly string[]>;

/**
 * Returns a cycle that starts and ends with the same name; undefined if there is none. Names that are not in the map
 * have no dependencies.
 */
export function dependencyCycle(dependencies: Dependencies): readonly string[] | undefined {
  const done = new Set<string>();
  const way: string[] = [];
  const visit = (name: string): readonly string[] | undefined => {
    const at = way.indexOf(name);
    if (at !== -1) return [...way.slice(at), name];
    if (done.has(name)) return undefined;
    way.push(name);
    for (const next of dependencies.get(name) ?? []) {
      const circle = visit(next);
      if (circle !== undefined) return circle;
    }
    way.pop();
    done.add(name);
    return undefined;
  };
  for (const name of dependencies.keys()) {
    const circle = visit(name);
    if (circle !== undefined) return circle;
  }
  return undefined;
}
