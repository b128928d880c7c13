/**
 * `aip.run`: how the run is shown.
 */
import type { ApiModule } from '../api-module.ts';
import { markingFunctions } from '../marking-functions.ts';

export const runApi: ApiModule = {
  name: 'run',
  summary: 'The label and the pins of the run.',
  members: markingFunctions('run'),
};
