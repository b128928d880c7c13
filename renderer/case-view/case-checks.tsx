/**
 * The checks of an open test, and the expected value of one beside the value that the run produced.
 */
import { Check, CircleDot } from 'lucide-react';
import { useLayoutEffect, useMemo, useRef } from 'react';
import { useStore } from 'zustand';
import { acceptedChange, type CaseResult, type CheckResult, type JsonValue } from '../../engine/isomorphic.ts';
import { ValueView } from '../inspector/values/value-view.tsx';
import { ownNodeId } from '../stores/cases/case-list.ts';
import { useReadValue, useStores } from '../stores/stores-context.tsx';
import { useOpenResult } from '../stores/use-case.ts';
import { Button } from '../ui/button.tsx';
import { moveRovingFocus, rovingItem } from '../ui/roving-focus.ts';
import { StateIcon } from '../ui/state-icon.tsx';
import { type DiffPart, wordDiff } from '../ui/word-diff.ts';
import { focusNextCheck } from './focus-check.ts';
import { text } from './text.ts';
import './case-checks.css';

const words = text.checks;

export function CaseChecks({ path }: { readonly path: string }) {
  const { cases } = useStores();
  const result = useOpenResult(path);
  const chosen = useStore(cases, (state) => state.shownCheck);
  if (result === undefined) return null;
  const { checks, error } = result;
  const failing = checks.findIndex(({ isOk, isFollowUp }) => !isOk && isFollowUp !== true);
  const index = chosen ?? Math.max(0, failing);
  const check = checks[index];
  if (check === undefined)
    return (
      <div className="checks-note">
        <p role="status" data-selectable>
          {error === undefined ? words.noChecks : `${words.notRun} ${error.message}`}
        </p>
      </div>
    );
  return (
    <div className="checks-view">
      <CheckList path={path} result={result} index={index} />
      <CheckValues key={index} path={path} result={result} check={check} />
    </div>
  );
}

interface CheckListProps {
  readonly path: string;
  readonly result: CaseResult;
  readonly index: number;
}

function CheckList({ path, result, index }: CheckListProps) {
  const { cases, selection } = useStores();
  const show = (at: number, { nodeId }: CheckResult): void => {
    cases.getState().showCheck(at);
    const own = nodeId === undefined ? undefined : ownNodeId(nodeId);
    if (own !== undefined) selection.getState().selectNode(path, own);
  };
  const list = useRef<HTMLUListElement>(null);
  // A failing check may be below many that hold.
  useLayoutEffect(() => {
    const shown = list.current?.querySelector(`li[data-index="${index}"]`);
    shown?.scrollIntoView?.({ block: 'nearest' });
  }, [index]);
  const rows = result.checks.flatMap((check, at) => (check.isFollowUp === true ? [] : [{ check, at }]));
  const followUps = result.checks.length - rows.length;
  const lastMissing = rows.filter(({ check }) => !check.isOk && check.kind === 'recording').at(-1);
  return (
    <ul ref={list} className="checks-list" aria-label={words.list} onKeyDown={moveRovingFocus}>
      {rows.map(({ check, at }) => (
        <li key={at} data-index={at}>
          <button
            type="button"
            className="check-row"
            aria-current={at === index}
            data-failed={!check.isOk}
            onClick={() => show(at, check)}
            {...rovingItem(at === index)}
          >
            <StateIcon state={check.isOk ? 'completed' : 'failed'} isDecorative />
            <span className="visually-hidden">{words.state(check)}</span>
            <Label check={check} />
          </button>
          {at !== lastMissing?.at || followUps === 0 ? null : (
            <p className="check-message">{words.followUps({ count: followUps })}</p>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The label with its subject emphasized. */
function Label({ check: { label, subject } }: { readonly check: CheckResult }) {
  const at = subject === undefined ? -1 : label.indexOf(subject);
  if (at === -1 || subject === undefined) return <span className="check-label">{label}</span>;
  return (
    <span className="check-label" title={label}>
      {label.slice(0, at)}
      <b>{subject}</b>
      {label.slice(at + subject.length)}
    </span>
  );
}

interface CheckValuesProps {
  readonly path: string;
  readonly result: CaseResult;
  readonly check: CheckResult;
}

function CheckValues({ path, result, check }: CheckValuesProps) {
  const { expected, got, isOk, matcher = 'equals', message, score, reason } = check;
  // Only values that should be equal have a difference that explains the failure.
  const isCompared = !isOk && matcher === 'equals' && expected !== undefined && got !== undefined;
  const diff = useMemo(
    () => (isCompared ? wordDiff(textOf(expected), textOf(got)) : undefined),
    [isCompared, expected, got],
  );
  return (
    <>
      <section className="check-side" aria-label={words.expected}>
        <h4>{words.expected}</h4>
        {expected === undefined ? (
          <p className="check-message">{check.label}</p>
        ) : (
          <Value label={words.expected} value={expected} parts={diff?.before} side="expected" />
        )}
        <CheckActions path={path} result={result} check={check} />
      </section>
      <section className="check-side" aria-label={words.got}>
        <h4>
          {words.got}
          {score === undefined ? null : <i>{words.score({ score: String(score) })}</i>}
        </h4>
        {/* The message of a judge contains its reason. */}
        {message === undefined ? null : (
          <p className="check-message" data-selectable>
            {message}
          </p>
        )}
        {reason === undefined || !isOk ? null : (
          <p className="check-message" data-selectable>
            {reason}
          </p>
        )}
        {got === undefined || score !== undefined ? null : (
          <Value label={words.got} value={got} parts={diff?.now} side="got" />
        )}
        {got === undefined && message === undefined ? <p className="check-message">{words.holds}</p> : null}
      </section>
    </>
  );
}

function CheckActions({ path, result, check }: CheckValuesProps) {
  const { cases } = useStores();
  const isRunning = useStore(cases, (state) => state.isRunning);
  const canAccept = acceptedChange(result, check) !== undefined;
  if (check.kind === 'recording' && !check.isOk) return <RecordButton path={path} />;
  if (!canAccept) return null;
  return (
    <Button
      size="small"
      disabled={isRunning}
      onClick={() => void cases.getState().accept(path, [check]).then(focusNextCheck)}
    >
      <Check aria-hidden size={13} />
      {words.acceptOne}
    </Button>
  );
}

/** Runs the open test again and records the calls without a recording. Main asks first. */
function RecordButton({ path }: { readonly path: string }) {
  const { cases } = useStores();
  const isRunning = useStore(cases, (state) => state.isRunning);
  return (
    <Button
      size="small"
      title={words.recordHint}
      disabled={isRunning}
      onClick={() => void cases.getState().runAgain(path, 'missing').then(focusNextCheck)}
    >
      <CircleDot aria-hidden size={13} />
      {words.record}
    </Button>
  );
}

function textOf(value: JsonValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2);
}

interface ValueProps {
  readonly label: string;
  readonly value: JsonValue;
  /** The text in parts, if it is compared. */
  readonly parts: readonly DiffPart[] | undefined;
  readonly side: 'expected' | 'got';
}

/** Maps and lists are shown like other values; texts and what is compared as text. */
function Value({ label, value, parts, side }: ValueProps) {
  const readLarge = useReadValue();
  if (parts === undefined && typeof value === 'object' && value !== null)
    return <ValueView label={label} value={value} readLarge={readLarge} />;
  return (
    <pre className="check-text" data-side={side} data-selectable>
      {parts === undefined
        ? textOf(value)
        : parts.map(({ text: part, kind }, index) => {
            const Mark = kind === 'same' ? 'span' : 'mark';
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a comparison never move
            return <Mark key={index}>{part}</Mark>;
          })}
    </pre>
  );
}
