/**
 * The names of test files, and of the versions that tests can run.
 */

/** Returns whether a path is that of a test file. */
export function isCaseFile(path: string): boolean {
  return /\.test\.ya?ml$/.test(path);
}

/** Returns the path of the test file beside a flow or an agent. */
export function testFileBeside(path: string): string {
  const end = '.test.yaml';
  return path.replace(/(?:\.flow)?\.[a-z]+$/i, '') + end;
}

/**
 * Returns the version of a flow that a run executed. It cannot be a name in Git
 * (https://git-scm.com/docs/git-check-ref-format).
 * @param number of the run
 */
export function runVersion(number: number): string {
  return `run:${number}`;
}

/** Returns the number of the run; undefined for versions in Git. */
export function runOfVersion(version: string): number | undefined {
  const [, number] = /^run:(\d{1,15})$/.exec(version) ?? [];
  return number === undefined ? undefined : Number(number);
}
