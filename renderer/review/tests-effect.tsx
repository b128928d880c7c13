/**
 * What a proposal means for the tests of its flow: a line for the bar of the review, and the tests that do not pass.
 */
import { RotateCw, Square } from 'lucide-react';
import { useStore } from 'zustand';
import type { CheckResult, JsonValue } from '../../engine/isomorphic.ts';
import type { CaseOutcome, ChangeEffect, EffectCase } from '../stores/cases/compare-results.ts';
import type { ProposalTest } from '../stores/cases/proposal-tests.ts';
import { useStores } from '../stores/stores-context.tsx';
import { IconButton } from '../ui/button.tsx';
import { StateIcon, type VisualState } from '../ui/state-icon.tsx';
import { text } from './text.ts';
import './tests-effect.css';

/** How many cases are listed, and the longest value in UTF-16 units. */
const mostCases = 20;
const longestValue = 200;

const words = text.tests;

const icons: Readonly<Record<CaseOutcome, VisualState>> = {
  broken: 'failed',
  unrecorded: 'tolerated',
  failing: 'failed',
};

function useProposalTest(path: string): ProposalTest | undefined {
  return useStore(useStores().proposalTests, ({ tests }) => tests.get(path));
}

/** The line beside the buttons that accept. It shows the list of changes, which has the details. */
export function TestsLine({ path }: { readonly path: string }) {
  const { panes } = useStores();
  const test = useProposalTest(path);
  return (
    <span className="review-tests" role="status">
      {test === undefined ? null : (
        <button
          type="button"
          className="tests-line"
          title={lineText(test)}
          onClick={() => panes.getState().showDock('changes')}
        >
          <StateIcon state={stateOf(test)} isDecorative />
          <span className="tests-line-text">{lineText(test)}</span>
        </button>
      )}
    </span>
  );
}

/** The line with the tests that do not pass. Renders nothing for a flow without tests. */
export function TestsEffect({ path }: { readonly path: string }) {
  const test = useProposalTest(path);
  if (test === undefined) return null;
  return (
    <>
      <p className="effect-line tests-effect-line">
        <StateIcon state={stateOf(test)} isDecorative />
        <span>{lineText(test)}</span>
        <TestsButton path={path} isRunning={test.state === 'running'} />
      </p>
      {test.state === 'done' ? <EffectDetails effect={test.effect} /> : null}
    </>
  );
}

function TestsButton({ path, isRunning }: { readonly path: string; readonly isRunning: boolean }) {
  const { run, stop } = useStores().proposalTests.getState();
  // One button, so that the focus stays on it.
  return (
    <IconButton label={isRunning ? words.stop : words.runAgain} onClick={() => (isRunning ? stop(path) : run(path))}>
      {isRunning ? <Square aria-hidden size={12} /> : <RotateCw aria-hidden size={12} />}
    </IconButton>
  );
}

function EffectDetails({ effect: { cases, invalid } }: { readonly effect: ChangeEffect }) {
  if (cases.length + invalid.length === 0) return null;
  const hidden = cases.length - mostCases;
  return (
    <ul className="tests-effect" aria-label={words.list} data-selectable>
      {invalid.map((file) => (
        <li key={file.path}>{words.invalid(file)}</li>
      ))}
      {cases.slice(0, mostCases).map((one) => (
        <li key={one.key}>
          <CaseEffect one={one} />
        </li>
      ))}
      {hidden > 0 ? <li>{text.effect.more({ count: hidden })}</li> : null}
    </ul>
  );
}

function CaseEffect({ one }: { readonly one: EffectCase }) {
  const { name, outcome, check, others, error } = one;
  return (
    <>
      <p className="case-effect-name">
        <StateIcon state={icons[outcome]} size={12} isDecorative />
        <b>{name}</b>
      </p>
      {outcome === 'failing' ? <p>{words.alsoBefore}</p> : null}
      {outcome === 'unrecorded' ? <p>{unrecordedText(one)}</p> : null}
      {error === undefined ? null : <p>{error}</p>}
      {check === undefined || outcome === 'unrecorded' ? null : <FailingCheck check={check} />}
      {others > 0 && outcome !== 'unrecorded' ? <p>{words.moreChecks({ count: others })}</p> : null}
    </>
  );
}

function FailingCheck({ check: { kind, label, expected, got, message } }: { readonly check: CheckResult }) {
  if (expected === undefined || kind === 'status' || kind === 'fails' || kind === 'judge')
    return <p>{message ?? label}</p>;
  return (
    <>
      <p>{label}</p>
      <dl>
        <dt>{words.expected}</dt>
        <dd>{valueText(expected)}</dd>
        <dt>{words.got}</dt>
        <dd>{got === undefined ? words.noValue : valueText(got)}</dd>
      </dl>
    </>
  );
}

function valueText(value: JsonValue): string {
  const whole = typeof value === 'string' ? value : JSON.stringify(value);
  return whole.length > longestValue ? `${whole.slice(0, longestValue)}…` : whole;
}

function unrecordedText({ calls }: EffectCase): string {
  const namesOf = (isNew: boolean): string => {
    const ids = calls.flatMap((call) => (call.isNew === isNew ? [call.nodeId] : []));
    return [...new Set(ids)].join(', ');
  };
  return words.notRecorded({ changed: namesOf(false), added: namesOf(true) });
}

function lineText(test: ProposalTest): string {
  switch (test.state) {
    case 'running':
      return words.running({ count: test.total });
    case 'stopped':
      return words.stopped;
    case 'failed':
      return words.failed({ reason: test.reason });
    case 'done':
      return effectText(test.effect);
  }
}

function effectText({ total, passed, passedBefore, unrecorded, invalid }: ChangeEffect): string {
  const [file] = invalid;
  const [counts, problem] = [words.counts({ total, passed, passedBefore, unrecorded }), file && words.invalid(file)];
  if (total === 0 && problem !== undefined) return problem;
  return problem === undefined ? counts : `${counts} ${words.someInvalid({ count: invalid.length })}`;
}

function stateOf(test: ProposalTest): VisualState {
  switch (test.state) {
    case 'running':
      return 'running';
    case 'stopped':
      return 'cancelled';
    case 'failed':
      return 'tolerated';
    case 'done': {
      const { cases, invalid } = test.effect;
      if (cases.some(({ outcome }) => outcome === 'broken')) return 'failed';
      return cases.length + invalid.length === 0 ? 'completed' : 'tolerated';
    }
  }
}
