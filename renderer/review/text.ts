/**
 * The text of the bar and the list of a review.
 */
import { type Counted, inLanguage, numberText, plural } from '../ui/language.ts';

interface Reruns {
  readonly runs: number;
  readonly reused: number;
  readonly maybe: number;
  /** What the nodes cost in the latest run; undefined if unknown. */
  readonly cost: string | undefined;
}

interface ImportCounts {
  readonly source: string;
  readonly mapped: number;
  readonly partly: number;
  readonly placeholder: number;
  readonly missing: number;
}

interface TestCounts {
  readonly total: number;
  readonly passed: number;
  readonly passedBefore: number;
  readonly unrecorded: number;
}

export const text = inLanguage('review', {
  sources: {
    proposal: 'Proposal',
    disk: 'Changed on disk',
    git: 'Compared with git',
    assistant: 'Proposal',
    import: 'Import',
    merge: 'Merge conflict',
  },
  bar: {
    label: 'Review',
    byAt: ({ by, time }: { readonly by: string; readonly time: string }) => (by === '' ? time : `${by}, ${time}`),
    counts: ({ accepted, rejected, open }: { accepted: number; rejected: number; open: number }) =>
      [
        accepted === 0 ? '' : `${numberText(accepted)} accepted`,
        rejected === 0 ? '' : `${numberText(rejected)} rejected`,
        `${numberText(open)} to review`,
      ]
        .filter((part) => part !== '')
        .join(', '),
    behind: 'The text on screen is not a valid flow, so the review waits.',
    rejectAll: 'Reject all',
    acceptAll: 'Accept all',
    rejectRest: 'Reject the rest',
    acceptRest: 'Accept the rest',
    done: 'Done',
    conflicts: ({ decided, open }: { readonly decided: number; readonly open: number }) =>
      decided === 0
        ? plural(open, { one: '1 conflict to resolve', other: `${numberText(open)} conflicts to resolve` })
        : `${numberText(decided)} resolved, ${numberText(open)} to resolve`,
    allYours: 'Use all yours',
    allTheirs: 'Use all theirs',
    restYours: 'Use yours for the rest',
    restTheirs: 'Use theirs for the rest',
    cancelMerge: 'Cancel the merge. The text is as it was before.',
    undone: 'The merge was undone, or its text is not a valid flow. Redo or correct it to continue.',
    end: 'End the review. The text stays as it is.',
  },
  offer: {
    changed: 'Another program changed this file.',
    review: ({ count }: Counted) =>
      plural(count, { one: 'Review 1 change', other: `Review ${numberText(count)} changes` }),
    dismiss: 'Dismiss',
  },
  list: {
    label: 'Changes',
    line: ({ line }: { readonly line: number }) => `Line ${numberText(line)}`,
    together: ({ count }: Counted) => plural(count, { one: 'with 1 edge', other: `with ${numberText(count)} edges` }),
    togetherParts: ({ count }: Counted) =>
      plural(count, { one: 'with 1 more', other: `with ${numberText(count)} more` }),
    keys: { next: 'next', accept: 'accept', reject: 'reject', undo: 'undo', yours: 'yours', theirs: 'theirs' },
  },
  import: {
    list: 'Imported nodes',
    summary: ({ source, mapped, partly, placeholder, missing }: ImportCounts) =>
      `From ${source}: ${numberText(mapped)} mapped, ${numberText(partly)} partly, ${
        missing > 0
          ? `${numberText(missing)} not imported`
          : plural(placeholder, { one: '1 placeholder', other: `${numberText(placeholder)} placeholders` })
      }`,
    status: { missing: 'not imported', placeholder: 'placeholder', partly: 'partly mapped', mapped: 'mapped' },
    more: ({ count }: Counted) => `and ${numberText(count)} more`,
    rebuild: 'Ask Millrace to rebuild this node',
    rebuildMessage: ({ id, node }: { readonly id: string; readonly node: string }) =>
      `Replace the placeholder \`${id}\` by nodes that do the same as the imported original:\n${node}`,
  },
  effect: {
    title: ({ count }: Counted) =>
      plural(count, { one: 'If you accept this change', other: `If you accept all ${numberText(count)}` }),
    cures: ({ count }: Counted) =>
      plural(count, { one: 'Fixes 1 problem', other: `Fixes ${numberText(count)} problems` }),
    causes: ({ count }: Counted) =>
      plural(count, { one: 'Adds 1 problem', other: `Adds ${numberText(count)} problems` }),
    none: 'Adds no problems',
    more: ({ count }: Counted) => `${numberText(count)} more`,
    /** Compares with the latest run. */
    rerun: ({ runs, reused, maybe, cost }: Reruns) =>
      [
        plural(runs, {
          zero: 'Runs no node again',
          one: 'Runs 1 node again',
          other: `Runs ${numberText(runs)} nodes again`,
        }),
        reused === 0 ? '' : `, reuses ${numberText(reused)}`,
        maybe === 0 ? '' : `, possibly ${numberText(maybe)} more`,
        cost === undefined ? '.' : `. Cost in the latest run: ${cost}.`,
      ].join(''),
  },
  /** The tests of the flow with the proposed changes. */
  tests: {
    list: "Tests that don't pass with this change",
    running: ({ count }: Counted) =>
      plural(count, { one: 'Running 1 test…', other: `Running ${numberText(count)} tests…` }),
    stopped: 'Tests stopped.',
    failed: ({ reason }: { readonly reason: string }) => `The tests could not run. ${reason}`,
    stop: 'Stop the tests',
    runAgain: 'Run the tests again',
    counts: ({ total, passed, passedBefore, unrecorded }: TestCounts) =>
      [
        `${numberText(passed)} of ${plural(total, {
          one: passed === 1 ? '1 test passes' : '1 tests pass',
          other: `${numberText(total)} tests pass`,
        })} with this change.`,
        unrecorded === 0 ? '' : `${numberText(unrecorded)} not recorded.`,
        `Before: ${numberText(passedBefore)} of ${numberText(total)}.`,
      ]
        .filter((part) => part !== '')
        .join(' '),
    invalid: ({ path, problem }: { readonly path: string; readonly problem: string }) =>
      `${path} is not a valid test file (${problem}).`,
    someInvalid: ({ count }: Counted) =>
      plural(count, { one: '1 test file is not valid.', other: `${numberText(count)} test files are not valid.` }),
    alsoBefore: 'Also fails without this change',
    notRecorded: ({ changed, added }: { readonly changed: string; readonly added: string }) => {
      const parts = [changed === '' ? '' : `${changed} changed`, added === '' ? '' : `${added} is new`];
      const why = parts.filter((part) => part !== '').join(', ');
      return why === '' ? 'Not recorded' : `Not recorded: ${why}`;
    },
    moreChecks: ({ count }: Counted) =>
      plural(count, { one: '1 more check fails', other: `${numberText(count)} more checks fail` }),
    expected: 'Expected',
    got: 'Got',
    noValue: 'no value',
  },
});
