/**
 * `aip.task`: how one input of the run is shown.
 */
import type { ApiModule } from '../api-module.ts';
import { markingFunctions } from '../marking-functions.ts';

export const taskApi: ApiModule = {
  name: 'task',
  summary: 'The label and the pins of the input that is worked on. Raises in `# Before All` and `# After All`.',
  members: markingFunctions('task'),
};
