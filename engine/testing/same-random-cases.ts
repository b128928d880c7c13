/**
 * Gives random tests the same cases each time, so that what they find is a change and not luck. With more rounds they look for new cases.
 * Set up for every file.
 */
import fc from 'fast-check';
import { testRounds } from './test-rounds.ts';

if (testRounds(1) === 1) fc.configureGlobal({ seed: 1 });
