/**
 * The text of tests: notices, and labels of edits.
 */
import { inLanguage } from '../../ui/language.ts';

export const text = inLanguage('stores/cases', {
  listFailed: "Couldn't list the tests",
  runFailed: "Couldn't run the tests",
  openFailed: "Couldn't open the test",
  /** Label of an undo step. */
  acceptValue: 'Accept new value',
  acceptFailed: "Couldn't accept the new value",
  saved: 'Test saved',
  savedIn: ({ name, file }: { readonly name: string; readonly file: string }) => `"${name}" in ${file}`,
  noFailure: 'No failed test',
  noFailureDetail: 'All tests that have run pass.',
  notRun: 'Run the tests first.',
});
