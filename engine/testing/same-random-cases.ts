/**
 * Gives random tests the same cases each time, so that a failure comes from a change and not from chance. With more
 * rounds they generate new cases. Set up for every file.
 */
import fc from 'fast-check';
import { testRounds } from './test-rounds.ts';

if (testRounds(1) === 1) fc.configureGlobal({ seed: 1 });
