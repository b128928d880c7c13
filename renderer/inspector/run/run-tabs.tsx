import { FileText } from 'lucide-react';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { type ErrorRecord, isJsonMap, type NodeState } from '../../../engine/isomorphic.ts';
import { useReadValue, useStores } from '../../stores/stores-context.tsx';
import { folderOf, kindOfPath } from '../../stores/text/paths.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { costText, durationText, fullDateTimeText } from '../../ui/quantity-text.ts';
import { visualStateLabels } from '../../ui/state-icon.tsx';
import { Group, Rows } from '../fields/setting-rows.tsx';
import { useTreeChanges } from '../fields/use-tree-changes.ts';
import { cutTexts } from '../values/cut-texts.ts';
import { useKeptValue } from '../values/use-kept-value.ts';
import { StreamedText } from '../values/value-text.tsx';
import { ValueView } from '../values/value-view.tsx';
import { Answers } from './answers.tsx';
import type { NodeFacts, RanFacts } from './node-facts.ts';
import { EditedInput } from './person-changes.tsx';
import { text } from './text.ts';
import { didNotRun, WhyNot } from './why-not.tsx';
import '../run-tabs.css';

function whyNoInput({ nodeState }: RanFacts): string {
  if (nodeState?.status === 'failed') return text.input.failedBefore;
  if (nodeState?.isPinned === true) return text.input.pinned;
  if (nodeState?.status === 'reused') return text.input.reused;
  return text.input.none;
}

interface InputTabProps {
  readonly facts: RanFacts;
  /** What has the input: a node of a file, or the inputs of an agent. Selected views are kept for it. */
  readonly of: string;
}

/** The node's input, with bindings resolved. */
export function InputTab({ facts, of }: InputTabProps) {
  const readLarge = useReadValue();
  const input = facts.nodeState?.input;
  return (
    <div className="inspector-body">
      {didNotRun(facts) ? <WhyNot facts={facts} /> : null}
      {didNotRun(facts) || input !== undefined ? null : <p className="inspector-note">{whyNoInput(facts)}</p>}
      <EditedInput nodeState={facts.nodeState} />
      {input === undefined ? null : (
        <ValueView label={text.input.label} value={input} readLarge={readLarge} of={`${of}:input`} />
      )}
    </div>
  );
}

/** An error with its code. The message is for users, the code for support. */
export function ErrorBox({ error }: { error: ErrorRecord }) {
  return (
    <div className="inspector-error" data-selectable>
      {error.message}
      <code className="inspector-error-code">{error.code}</code>
    </div>
  );
}

interface TextSoFarProps {
  readonly streamed: string;
  readonly isLive: boolean;
  /** Estimated tokens per second. Undefined if that is not known. */
  readonly speed: number | undefined;
}

/** The text of a node that has no output yet. */
function TextSoFar({ streamed, isLive, speed }: TextSoFarProps) {
  return (
    <section aria-label={text.output.textSoFar}>
      <header className="stream-bar">
        <span>{isLive && speed !== undefined ? text.output.streaming({ count: Math.round(speed) }) : ''}</span>
        <CopyButton label={text.output.copyText} text={() => streamed} />
      </header>
      <StreamedText text={streamed} isLive={isLive} />
    </section>
  );
}

function Usage({ facts: { nodeState } }: { facts: RanFacts }) {
  const { usage, costUsd, unpricedCalls } = nodeState ?? {};
  const cost = costText(costUsd, unpricedCalls);
  const rows: [string, string][] = [
    ...(usage === undefined ? [] : usageRows(usage)),
    ...(cost === null ? [] : [[text.output.cost, cost] satisfies [string, string]]),
  ];
  return rows.length === 0 ? null : <Rows rows={rows} />;
}

function usageRows({ promptTokens, completionTokens }: NonNullable<NodeState['usage']>): [string, string][] {
  return [
    [text.output.prompt, text.output.tokens({ count: promptTokens })],
    [text.output.response, text.output.tokens({ count: completionTokens })],
  ];
}

/** Returns the file in the `path` of an output. Undefined for other outputs. */
function pathOf({ status, output }: NodeState): string | undefined {
  const isDone = status === 'completed' || status === 'reused';
  const path = isDone && isJsonMap(output) ? output['path'] : undefined;
  return typeof path === 'string' ? path : undefined;
}

/** A link to the file that a node has written or read, if it is in the workspace. */
function OpenTheFile({ path }: { path: string }) {
  const { engine, openFiles } = useStores();
  const [isThere, setIsThere] = useState(false);
  const changes = useTreeChanges();
  // biome-ignore lint/correctness/useExhaustiveDependencies: added or removed files are a reason to look again
  useEffect(() => {
    let isMeant = true;
    const tell = (found: boolean): void => {
      if (isMeant) setIsThere(found);
    };
    engine.call('listFolder', folderOf(path)).then(
      ({ entries, isCut }) => tell(isCut || entries.some((entry) => entry.path === path && entry.kind === 'file')),
      // The path is not in the workspace, or its folder no longer exists.
      () => tell(false),
    );
    return () => {
      isMeant = false;
    };
  }, [engine, path, changes]);
  if (!isThere) return null;
  return (
    <Button
      size="small"
      className="output-file"
      title={path}
      onClick={() => void openFiles.getState().open(path, kindOfPath(path))}
    >
      <FileText aria-hidden size={14} />
      {text.output.openFile}
    </Button>
  );
}

function OutputFile({ facts: { nodeState } }: { facts: RanFacts }) {
  const path = nodeState === undefined ? undefined : pathOf(nodeState);
  return path === undefined ? null : <OpenTheFile key={path} path={path} />;
}

/** Says which texts of the output are only a part of a text of the input. */
function CutTexts({ input, output }: { readonly input: unknown; readonly output: unknown }) {
  const [wholeInput, wholeOutput] = [useKeptValue(input), useKeptValue(output)];
  const cut = useMemo(() => cutTexts(wholeInput, wholeOutput), [wholeInput, wholeOutput]);
  return cut.map((one) => (
    <p key={one.path} className="inspector-note">
      {one.path === '' ? null : <b>{one.path}: </b>}
      {text.output.partOf(one)}
    </p>
  ));
}

interface OutputTabProps extends InputTabProps {
  /** Path of the output in bindings. Undefined if bindings cannot refer to it. */
  readonly binding?: string;
  /** Help for its error. */
  readonly errorHelp?: ReactNode;
  /** Differences to the previous run. */
  readonly change?: ReactNode;
  /** Shown at the end. */
  readonly footer?: ReactNode;
  /** Estimated tokens per second, while a model streams. */
  readonly speed?: number | undefined;
}

/** Explains why a node that has not ended has no output. */
function NoOutputYet({ facts: { nodeState, state } }: { facts: RanFacts }) {
  const status = nodeState?.status;
  if (state === 'paused' && status === 'running') return <p className="inspector-note">{text.output.paused}</p>;
  if (status === 'running' || status === 'retrying') return <p className="inspector-note">{text.output.running}</p>;
  if (status === 'suspended') return <p className="inspector-note">{text.output.waiting}</p>;
  if (status === 'cancelled' && state === 'cancelled') return <p className="inspector-note">{text.output.stopped}</p>;
  return null;
}

/** The result of the node: its output, or its text while there is none, and its error. */
export function OutputTab({ facts, of, binding, errorHelp = null, change = null, footer, speed }: OutputTabProps) {
  const readLarge = useReadValue();
  const { nodeState, state } = facts;
  const { output, text: streamed = '', error, status } = nodeState ?? {};
  const isLive = status === 'running' || status === 'retrying';
  return (
    <div className="inspector-body">
      {didNotRun(facts) ? <WhyNot facts={facts} /> : null}
      {error === undefined || status === 'completed' || status === 'cancelled' ? null : <ErrorBox error={error} />}
      {errorHelp}
      {state === 'interrupted' ? <p className="inspector-note">{text.output.interrupted}</p> : null}
      {output === undefined && streamed !== '' ? <TextSoFar {...{ streamed, isLive, speed }} /> : null}
      {streamed === '' ? <NoOutputYet facts={facts} /> : null}
      <Answers asks={nodeState?.asks} />
      <OutputFile facts={facts} />
      {output === undefined ? null : change}
      <CutTexts input={nodeState?.input} output={output} />
      {output === undefined ? null : (
        <ValueView
          label={text.output.label}
          value={output}
          readLarge={readLarge}
          of={`${of}:output`}
          binding={binding}
        />
      )}
      {output === undefined ? <Usage facts={facts} /> : null}
      {footer}
    </div>
  );
}

/** Returns the state of an attempt, and since when it waits. A request does not end an attempt. */
function attemptWords({ status, asks = [] }: NodeState): string {
  const open = asks.find(({ answer }) => answer === undefined);
  if (status === 'suspended' && open !== undefined)
    return text.attempts.waitingSince({ time: fullDateTimeText(open.askedAt) });
  return visualStateLabels[status === 'retrying' ? 'running' : status];
}

/** Each attempt with its error, and the pause after it. */
export function AttemptsTab({ facts }: { facts: NodeFacts }) {
  const { failedAttempts, nodeState, node } = facts;
  if (nodeState === undefined || didNotRun(facts)) {
    return (
      <div className="inspector-body">
        <WhyNot facts={facts} />
      </div>
    );
  }
  const allowed = node.policy?.retry?.maxAttempts ?? 1;
  const { status, error, attempts } = nodeState;
  return (
    <div className="inspector-body">
      {failedAttempts.map((failed) => (
        <Group
          key={failed.attempt}
          title={text.attempts.title({ attempt: failed.attempt, allowed })}
          note={
            failed.delayMs === 0
              ? text.attempts.failed
              : text.attempts.failedThenPaused({ pause: durationText(failed.delayMs) })
          }
        >
          <ErrorBox error={failed.error} />
        </Group>
      ))}
      <Group title={text.attempts.title({ attempt: Math.max(1, attempts), allowed })}>
        {status === 'failed' && error !== undefined ? (
          <ErrorBox error={error} />
        ) : (
          <p className="inspector-note">{attemptWords(nodeState)}</p>
        )}
      </Group>
      <Answers asks={nodeState.asks} />
    </div>
  );
}
