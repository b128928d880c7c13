/**
 * Implements `check-keys`.
 */
import { listKeyStates } from '../../host/governance/key-states.ts';
import type { CliContext, GlobalOptions } from '../cli-context.ts';
import { packWorldOf, printEach } from './with-packs.ts';

/** Lists the variables for model provider keys, and whether they are set. Never shows their values. */
export function checkKeys(context: CliContext, options: GlobalOptions): void {
  const { colors } = context.terminal;
  const values = listKeyStates(packWorldOf(context, options));
  const width = Math.max(...values.map(({ variable }) => variable.length));
  printEach(context, options, {
    values,
    lineOf: ({ variable, isSet }) =>
      `${variable.padEnd(width)}  ${isSet ? colors.green('set') : colors.dim('not set')}`,
  });
}
