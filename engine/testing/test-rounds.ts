/**
 * How long tests with random cases go on: short in daily work, longer when somebody wants to be sure.
 */

/**
 * The number of cases to try: `usual`, times the whole number in `MILLRACE_TEST_ROUNDS`.
 * @throws RangeError when that variable holds something else
 */
export function testRounds(usual: number): number {
  // Named like this because tests of the page are compiled without Node's types.
  const { env } = Reflect.get(globalThis, 'process') as { env: Readonly<Record<string, string | undefined>> };
  const text = env['MILLRACE_TEST_ROUNDS'] || '1';
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new RangeError(`MILLRACE_TEST_ROUNDS must be a whole number, not "${text}"`);
  return usual * Number(text);
}
