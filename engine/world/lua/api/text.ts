/**
 * `aip.text`: functions for text.
 */
import type { ApiModule } from '../api-module.ts';
import { cuttingFunctions } from '../text/cutting-functions.ts';
import { shapingFunctions } from '../text/shaping-functions.ts';

export const textApi: ApiModule = {
  name: 'text',
  summary: 'Cuts, trims and changes texts. Where a text may be nil, nil gives nil.',
  members: [...cuttingFunctions, ...shapingFunctions],
};
