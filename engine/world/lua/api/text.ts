/**
 * `aip.text`: functions for text.
 */
import type { ApiModule } from '../api-module.ts';
import { cuttingFunctions } from '../text/cutting-functions.ts';
import { shapingFunctions } from '../text/shaping-functions.ts';

export const textApi: ApiModule = {
  name: 'text',
  summary: 'Trims, splits and edits strings. Functions that accept nil as `text` return nil for it.',
  members: [...cuttingFunctions, ...shapingFunctions],
};
