/**
 * The modules of `aip.*`, one line each, in the order of the reference.
 */
import type { ApiModule } from '../api-module.ts';
import { textApi } from './text.ts';

export const apiModules: readonly ApiModule[] = [textApi];
