/**
 * Counts on the command line.
 */
import { InvalidArgumentError } from 'commander';

/**
 * A whole number from 1 on.
 * @throws InvalidArgumentError, which commander turns into a word on the option
 */
export function parseCount(text: string): number {
  const value = Number(text);
  if (Number.isSafeInteger(value) && value >= 1) return value;
  throw new InvalidArgumentError('It must be a whole number, 1 or more.');
}
