/**
 * Length of tests with random cases: short by default, and longer on request.
 */

/**
 * Returns the number of cases to try: `usual` multiplied by the integer in `MILLRACE_TEST_ROUNDS`.
 * @throws RangeError if that variable is not an integer
 */
export function testRounds(usual: number): number {
  // Accessed this way because tests of the page are compiled without Node's types.
  const { env } = Reflect.get(globalThis, 'process') as { env: Readonly<Record<string, string | undefined>> };
  const text = env['MILLRACE_TEST_ROUNDS'] || '1';
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new RangeError(`MILLRACE_TEST_ROUNDS must be a whole number, not "${text}"`);
  return usual * Number(text);
}
