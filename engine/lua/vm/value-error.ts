/**
 * A value that cannot cross the border between Lua and the rest.
 */

export type PathStep = string | number;

/** What cannot cross, and where it stands. */
export class LuaValueError extends Error {
  /**
   * @param root what the path begins with, for example `result`
   * @param problem what follows the place, for example `is a function`
   */
  constructor(root: string, path: readonly PathStep[], problem: string) {
    super(`${root}${path.map(stepText).join('')} ${problem}`);
    this.name = 'LuaValueError';
  }
}

function stepText(step: PathStep): string {
  if (typeof step === 'number') return `[${step}]`;
  return /^[A-Za-z_]\w*$/.test(step) ? `.${step}` : `[${JSON.stringify(step)}]`;
}
