/**
 * A run while it works, waits and ends.
 */
import { useEffect, useRef, useState } from 'react';
import type { PageQuestion, PageRun, ReportedStep } from '../../engine/host/http/page-data.ts';
import { clockText, durationText, waitText } from '../ui/quantity-text.ts';
import { StateIcon, type VisualState, visualStateLabels } from '../ui/state-icon.tsx';
import { type FormDrafts, fieldsOfSchema } from './drafts.ts';
import { FieldsForm } from './fields.tsx';
import { OutputView } from './output-view.tsx';
import { cancelRun, type PagePlace, RefusedError, sendAnswer } from './service.ts';
import { text } from './text.ts';
import './run-view.css';

/** Milliseconds until a connection that a server or proxy has refused is tried again. */
const retryMs = 3_000;

interface ShownPageRun {
  /** Null until the service has answered. */
  readonly run: PageRun | null;
  /** `closed`: the service has refused, so that there is nothing to wait for. */
  readonly connection: 'open' | 'lost' | 'closed';
}

/** Follows a run. A lost connection is restored. */
function useRun({ name, runId }: PagePlace): ShownPageRun {
  const [followed, setFollowed] = useState<ShownPageRun>({ run: null, connection: 'open' });
  useEffect(() => {
    let events: EventSource;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const open = (): void => {
      events = new EventSource(`/f/${name}/runs/${runId}/progress${location.search}`);
      events.onmessage = ({ data }: MessageEvent<string>) =>
        setFollowed({ run: JSON.parse(data) as PageRun, connection: 'open' });
      // With the link, the address also works in another browser, and when the session has ended.
      events.addEventListener('link', ({ data }) => history.replaceState(null, '', `?link=${data}`));
      events.addEventListener('end', () => events.close());
      events.onerror = () => {
        const isClosed = events.readyState === EventSource.CLOSED;
        if (isClosed) timer = setTimeout(open, retryMs);
        setFollowed(({ run }) => ({ run, connection: isClosed ? 'closed' : 'lost' }));
      };
    };
    open();
    return () => {
      clearTimeout(timer);
      events.close();
    };
  }, [name, runId]);
  return followed;
}

/** The time of the service, once a second while something runs. */
function useServiceTime(run: PageRun): number {
  const [passed, setPassed] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the time passes since this state of the run
  useEffect(() => {
    setPassed(0);
    const begin = performance.now();
    const timer = setInterval(() => setPassed(performance.now() - begin), 1_000);
    return () => clearInterval(timer);
  }, [run]);
  return run.now + passed;
}

function hasEnded({ status }: PageRun): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled' || status === 'skipped';
}

function isDone({ state }: ReportedStep): boolean {
  return state === 'completed' || state === 'reused' || state === 'skipped';
}

function Step({ step, now }: { readonly step: ReportedStep; readonly now: number }) {
  const { label, state, startedAt, durationMs, done, total } = step;
  const isActive = state === 'running' || state === 'retrying' || state === 'suspended';
  const waited = isActive && startedAt !== undefined ? waitText(Math.max(0, now - startedAt)) : undefined;
  const time = durationMs === undefined ? waited : durationText(durationMs);
  const items = done === undefined || done === 0 ? undefined : { done, total };
  return (
    <li className="page-step" data-state={state} aria-current={isActive ? 'step' : undefined}>
      <StateIcon state={state === 'idle' ? 'skipped' : state} size={18} isDecorative />
      <span className="page-step-name" dir="auto">
        {label}
        <span className="visually-hidden">{visualStateLabels[state]}</span>
        {items === undefined ? null : (
          <span className="page-step-note">
            {items.total === undefined
              ? text.run.itemsDone({ count: items.done })
              : text.run.items({ done: items.done, total: items.total })}
          </span>
        )}
      </span>
      <span className="page-step-time">{time}</span>
    </li>
  );
}

function Progress({ run }: { readonly run: PageRun }) {
  const { steps, writing } = run;
  const now = useServiceTime(run);
  if (steps.length === 0) return null;
  const done = steps.filter(isDone).length;
  const active = steps.filter(({ state }) => state === 'running' || state === 'retrying').length;
  const counted = text.run.steps({ done, total: steps.length });
  return (
    <>
      <p className="page-counted">{counted}</p>
      <div
        className="page-bar"
        role="progressbar"
        aria-label={counted}
        aria-valuemin={0}
        aria-valuemax={steps.length}
        aria-valuenow={done}
      >
        <span className="page-bar-done" style={{ flexGrow: done }} />
        <span className="page-bar-active" style={{ flexGrow: active }} />
        <span style={{ flexGrow: steps.length - done - active }} />
      </div>
      <ol className="page-steps">
        {steps.map((step) => (
          <Step key={step.id} step={step} now={now} />
        ))}
      </ol>
      {writing === undefined ? null : (
        <section className="page-card" aria-label={writing.step}>
          <header>
            <span dir="auto">{writing.step}</span>
            <span className="page-writing">{text.run.writing}</span>
          </header>
          <p className="page-plain" dir="auto">
            {writing.text}
            <span className="page-cursor" aria-hidden />
          </p>
        </section>
      )}
    </>
  );
}

function Question({ place, question }: { readonly place: PagePlace; readonly question: PageQuestion }) {
  const { node, key, title, message, schema, defaults } = question;
  return (
    <section className="page-card page-question" aria-label={title}>
      <h2 dir="auto">{title}</h2>
      {message === undefined ? null : (
        <p className="page-plain" dir="auto">
          {message}
        </p>
      )}
      <FieldsForm
        fields={fieldsOfSchema(schema, defaults)}
        submitText={text.run.answer}
        busyText={text.run.sending}
        onSubmit={async (values) => {
          try {
            await sendAnswer(place, node, { key, values });
            return {};
          } catch (error) {
            return problemsOf(error);
          }
        }}
      />
    </section>
  );
}

/** Returns what to show beside the fields of a form that was not sent. */
export function problemsOf(error: unknown): FormDrafts {
  if (!(error instanceof RefusedError)) return { '': text.form.noConnection };
  return Object.keys(error.fields).length > 0 ? error.fields : { '': error.message || text.form.rejected };
}

function CancelButton({ place }: { readonly place: PagePlace }) {
  const [state, setState] = useState<'idle' | 'asked' | 'failed'>('idle');
  const cancel = async (): Promise<void> => {
    setState('asked');
    await cancelRun(place).catch(() => setState('failed'));
  };
  return (
    <>
      <button
        type="button"
        className="button page-button"
        data-variant="danger"
        aria-disabled={state === 'asked'}
        onClick={() => void (state === 'asked' ? undefined : cancel())}
      >
        {state === 'asked' ? text.run.canceling : text.run.cancel}
      </button>
      <p className="page-problem" role="alert">
        {state === 'failed' ? text.run.cancelFailed : ''}
      </p>
    </>
  );
}

interface PageHeading {
  readonly title: string;
  readonly about: string | undefined;
  readonly state: VisualState;
}

function headingOf(run: PageRun): PageHeading {
  const { status, startedAt, durationMs, problem, questions, isPaused } = run;
  const took = durationMs === undefined ? undefined : text.done.took({ duration: durationText(durationMs) });
  const begun = startedAt === null ? undefined : text.run.startedAt({ time: clockText(startedAt) });
  switch (status) {
    case 'queued':
      return { title: text.run.queued, about: begun, state: 'queued' };
    case 'running':
      return { title: text.run.running, about: begun, state: 'running' };
    case 'suspended':
      if (questions.length > 0) return { title: text.run.waitsForYou, about: begun, state: 'suspended' };
      return isPaused === true
        ? { title: text.run.paused, about: text.run.pausedAbout, state: 'paused' }
        : { title: text.run.waitsForPerson, about: text.run.person, state: 'suspended' };
    case 'interrupted':
      return { title: text.run.interrupted, about: text.run.interruptedAbout, state: 'interrupted' };
    case 'completed':
      return { title: text.done.completed, about: took, state: 'completed' };
    case 'failed':
      return { title: text.done.failed, about: problem ?? text.done.failedAbout, state: 'failed' };
    case 'cancelled':
      return { title: text.done.canceled, about: took, state: 'cancelled' };
    case 'skipped':
      return { title: text.done.skipped, about: took, state: 'skipped' };
  }
}

/** The heading gets the focus when its meaning changes, unless a person is typing an answer. */
function StateHeading({ title, about, state }: PageHeading) {
  const heading = useRef<HTMLHeadingElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the title is what changes
  useEffect(() => {
    if (document.activeElement?.closest('.page-question') == null) heading.current?.focus({ preventScroll: true });
  }, [title]);
  return (
    <>
      <h1 ref={heading} tabIndex={-1} className="page-state" data-state={state}>
        <StateIcon state={state} size={22} isDecorative />
        {title}
      </h1>
      {about === undefined ? null : (
        <p className="page-about" dir="auto">
          {about}
        </p>
      )}
    </>
  );
}

interface RunViewProps {
  readonly place: PagePlace;
  readonly onAgain: () => void;
}

/** A run, from its start to its outputs. */
export function RunView({ place, onAgain }: RunViewProps) {
  const { run, connection } = useRun(place);
  if (run === null) return <p role="status">{connection === 'closed' ? text.run.unknown : text.loading}</p>;
  const isOver = hasEnded(run);
  return (
    <>
      <StateHeading {...headingOf(run)} />
      <p className="page-lost" role="status">
        {connection !== 'open' && !isOver ? text.run.lost : ''}
      </p>
      {run.outputs === undefined ? null : <OutputView outputs={run.outputs} />}
      {run.questions.map((question) => (
        <Question key={`${question.node} ${question.key}`} place={place} question={question} />
      ))}
      <Progress run={run} />
      {isOver ? (
        <button type="button" className="button page-button" onClick={onAgain}>
          {text.done.again}
        </button>
      ) : (
        <CancelButton place={place} />
      )}
    </>
  );
}
