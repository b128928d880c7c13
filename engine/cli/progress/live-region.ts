/**
 * The lines at the bottom of a screen that are drawn again and again, below those that stay.
 */
import type { Terminal } from '../terminal.ts';

export interface LiveRegion {
  /** Writes `kept` lines, which stay, and below them the region anew. */
  show(kept: readonly string[], region: readonly string[]): void;
}

const clearBelow = '\x1b[0J';
const wrapOff = '\x1b[?7l';
const wrapOn = '\x1b[?7h';

/** Makes an empty region. It never gets higher than the screen, and its lines never wrap: both would make it jump. */
export function createLiveRegion(terminal: Terminal): LiveRegion {
  let height = 0;
  return {
    show(kept, region) {
      const up = height === 0 ? '' : `\x1b[${height}A\r${clearBelow}`;
      const lines = region.slice(0, terminal.rows() - 1);
      height = lines.length;
      const drawn = height === 0 ? '' : `${wrapOff}${whole(lines)}${wrapOn}`;
      terminal.out(`${up}${whole(kept)}${drawn}`);
    },
  };
}

function whole(lines: readonly string[]): string {
  return lines.map((line) => `${line}\n`).join('');
}
