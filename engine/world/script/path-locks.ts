/**
 * Locks that allow one writer per file across all of the process's runs.
 */

const tails = new Map<string, Promise<void>>();

/**
 * Runs `work` after all earlier work on any of these paths has ended.
 * @param paths real and absolute
 * @returns the result of `work`; its errors are rethrown
 */
export async function withPathLock<T>(paths: readonly string[], work: () => Promise<T>): Promise<T> {
  const before = paths.map((path) => tails.get(path));
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // Queued for all paths in the same step, so that two callers with the same two files cannot deadlock.
  for (const path of paths) tails.set(path, ended);
  try {
    await Promise.all(before);
    return await work();
  } finally {
    end();
    for (const path of paths) if (tails.get(path) === ended) tails.delete(path);
  }
}
