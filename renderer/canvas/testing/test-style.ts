/**
 * For tests: a picture style with a different color for everything, and letters of the same width.
 */
import type { PictureStyle } from '../export/picture-style.tsx';

const color = '#123456';
const states = {
  idle: '#000001',
  queued: '#000002',
  running: '#000003',
  retrying: '#000004',
  suspended: '#000005',
  pausing: '#000010',
  paused: '#000010',
  completed: '#000006',
  reused: '#000007',
  pinned: '#000007',
  changed: '#000007',
  failed: '#000008',
  tolerated: '#000009',
  skipped: '#00000a',
  cancelled: '#00000b',
  cancelling: '#00000c',
  disabled: '#00000d',
  invalid: '#00000e',
  interrupted: '#00000f',
  stale: '#00000f',
};

export const testStyle: PictureStyle = {
  canvas: '#ffffff',
  card: color,
  line: color,
  control: color,
  text: color,
  select: color,
  edge: color,
  edgeTaken: color,
  edgeLive: color,
  font: 'Inter',
  tiles: new Map(),
  states,
  textTwo: color,
  textThree: color,
  hairline: color,
  inset: color,
  failure: '#f00',
  port: color,
  glyph: color,
  mono: 'JetBrains Mono',
  isFading: true,
  paper: { grey: color, blue: color, green: color, amber: color, red: color, violet: color },
  measure: (text) => text.length * 5,
  glyphOf: () => '',
  triggerGlyphOf: () => '',
  iconOf: () => '',
};
