/**
 * Code fences of markdown, as packs use them: three or four backticks at the begin of a line. `~~~` and indented fences
 * are none.
 */

/** Inside of no fence, of one with three, of one with four backticks. */
export type FenceState = 'out' | 'in3' | 'in4';

/**
 * The state after a line. A fence of three closes at any line that begins with three, but not four backticks; one of
 * four at any that begins with four.
 */
export function afterLine(state: FenceState, line: string): FenceState {
  if (!line.startsWith('```')) return state;
  const kind: FenceState = line.startsWith('````') ? 'in4' : 'in3';
  if (state === 'out') return kind;
  return state === kind ? 'out' : state;
}

/** What stands behind the backticks of an opening line, for example `lua`. */
export function fenceLabel(line: string): string {
  let from = 0;
  while (line[from] === '`') from++;
  return line.slice(from).trim();
}
