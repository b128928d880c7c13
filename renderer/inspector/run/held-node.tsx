/**
 * The node before which a run is held: why, its resolved input, and the forms for another input or for an output
 * without running it.
 */
import { Play, SkipForward } from 'lucide-react';
import type { ReactNode } from 'react';
import { useStore } from 'zustand';
import {
  formJsonSchema,
  type HeldNode,
  isJsonMap,
  type JsonMap,
  type NodeTypeSpec,
  schemaProblemsOf,
} from '../../../engine/isomorphic.ts';
import { BreakpointDot } from '../../card/breakpoint-dot.tsx';
import { rootRunOf } from '../../stores/runs/called-runs.ts';
import { outputProblems, problemTexts } from '../../stores/runs/pins.ts';
import { nextNodeName } from '../../stores/runs/requests/request-names.ts';
import { useReadValue, useStores } from '../../stores/stores-context.tsx';
import { type SettledFlow, useBreakpoint, useShownRun } from '../../stores/use-flow.ts';
import { Button } from '../../ui/button.tsx';
import { StateIcon } from '../../ui/state-icon.tsx';
import { withParts } from '../../ui/with-parts.tsx';
import { ValueView } from '../values/value-view.tsx';
import type { NodeFacts } from './node-facts.ts';
import { ErrorBox } from './run-tabs.tsx';
import { text } from './text.ts';
import { useWholeValue, ValueEditor } from './value-editor.tsx';
import { linesOfTrace, WhenView } from './why-not.tsx';

const words = text.held;
const noSchema: JsonMap = {};

interface HeldProps {
  readonly flow: SettledFlow;
  readonly facts: NodeFacts;
  readonly held: HeldNode;
  /** Path of the node in the run. */
  readonly place: string;
}

/** Why the run is held: the values that made the condition of the breakpoint hold. */
function Because({ because }: { readonly because: HeldNode['because'] }) {
  if (because === undefined) return words.breakpoint;
  if (!because.result || 'of' in because || because.actual === undefined) {
    return (
      <>
        {because.result ? words.becauseOf : words.undecided}
        <WhenView label={words.becauseOf} lines={linesOfTrace(because)} />
      </>
    );
  }
  return withParts(words.because, { name: <code>{because.var}</code>, value: <b>{JSON.stringify(because.actual)}</b> });
}

function HeldNote({ flow: { path }, facts: { node }, held, place }: HeldProps) {
  const { breakpoints, panes } = useStores();
  const run = useShownRun(path);
  const breakpoint = useBreakpoint(path, node.id);
  const isBreakpoint = held.reason === 'breakpoint';
  const isBelow = held.name !== place;
  const inner = isBelow
    ? nextNodeName(held.name.slice(place.length + 1), new Map(), run?.state.tallies.loops ?? new Map())
    : '';
  const edit = (): void => {
    panes.getState().showDock('breakpoints');
    breakpoints.getState().edit({ path, node: node.id });
  };
  return (
    <div className="held-note" role="status">
      {isBreakpoint && breakpoint !== undefined ? (
        <BreakpointDot breakpoint={breakpoint} />
      ) : (
        <StateIcon state="paused" isDecorative />
      )}
      <div data-selectable>
        {words.nothingSent} {isBelow ? `${words.below({ name: inner })} ` : null}
        {isBreakpoint ? <Because because={held.because} /> : isBelow ? null : words.paused}{' '}
        {isBreakpoint && breakpoint !== undefined ? (
          <button type="button" className="inspector-line-link" onClick={edit}>
            {words.editCondition}
          </button>
        ) : null}
      </div>
    </div>
  );
}

/** Returns what the person currently changes about the held node, and the actions. */
function useAnswer({ flow: { path }, held: { name } }: HeldProps) {
  const { panes, runs, liveRuns } = useStores();
  const run = useShownRun(path);
  const answering = useStore(panes, (state) => state.answering);
  const mayAnswer = run?.moment === null;
  const end = (): void => panes.getState().answerHeld(null);
  return {
    /** An earlier moment of the run can only be looked at. */
    mayAnswer,
    kind: mayAnswer && answering !== null && answering.place === name ? answering.kind : null,
    end,
    begin: (kind: 'edit' | 'skip') => panes.getState().answerHeld({ place: name, kind }),
    async send(answer: Parameters<typeof runs.answerHeld>[2]): Promise<string | null> {
      const root = run === undefined ? undefined : rootRunOf(liveRuns.getState(), run);
      if (root === undefined) return null;
      const refusal = await runs.answerHeld(root.runId, name, answer);
      if (refusal === null) end();
      return refusal;
    },
  };
}

function schemaOf(spec: NodeTypeSpec | undefined, part: 'inputSchema' | 'outputSchema'): JsonMap {
  return spec === undefined ? noSchema : formJsonSchema(spec[part]);
}

/** The input of a held node. */
export function HeldInput(props: HeldProps) {
  const { facts, held, place } = props;
  const readLarge = useReadValue();
  const whole = useWholeValue(held.input);
  const { mayAnswer, kind, begin, end, send } = useAnswer(props);
  const spec = held.name === place ? facts.spec : undefined;
  if (kind === 'edit' && (whole !== undefined || held.input === undefined)) {
    return (
      <HeldBody {...props}>
        <ValueEditor
          label={words.inputs}
          schema={schemaOf(spec, 'inputSchema')}
          value={whole}
          problemsOf={(value) => (spec === undefined ? [] : problemTexts(schemaProblemsOf(spec.inputSchema, value)))}
          submitText={words.run}
          submitIcon={<Play aria-hidden size={12} />}
          onSubmit={async (input) => (isJsonMap(input) ? send({ action: 'edit', input }) : words.noMap)}
          onCancel={end}
        />
      </HeldBody>
    );
  }
  return (
    <HeldBody {...props}>
      {held.input === undefined ? null : (
        <section aria-label={words.inputs}>
          <h3 className="inspector-heading">{words.inputs}</h3>
          <ValueView label={words.inputs} value={held.input} readLarge={readLarge} of={`${facts.node.id}:held`} />
        </section>
      )}
      {mayAnswer ? (
        <>
          <div className="held-actions">
            <Button size="small" onClick={() => begin('edit')}>
              {words.editInputs}
            </Button>
            <Button size="small" onClick={() => begin('skip')}>
              {words.skip}
            </Button>
          </div>
          <p className="inspector-quiet">{words.hint}</p>
        </>
      ) : null}
    </HeldBody>
  );
}

function HeldBody({ children, ...props }: HeldProps & { readonly children: ReactNode }) {
  const { error } = props.held;
  return (
    <div className="inspector-body">
      <HeldNote {...props} />
      {error === undefined ? null : (
        <>
          <p className="inspector-note">{words.notResolved}</p>
          <ErrorBox error={error} />
        </>
      )}
      {children}
    </div>
  );
}

/** The form for the output of a held node that does not run. */
export function HeldOutput(props: HeldProps) {
  const { flow, facts, held, place } = props;
  const { mayAnswer, kind, begin, end, send } = useAnswer(props);
  const isOwn = held.name === place;
  const { node } = facts;
  return (
    <HeldBody {...props}>
      {kind === 'skip' ? (
        <ValueEditor
          label={words.output({ name: node.name ?? node.id })}
          schema={schemaOf(isOwn ? facts.spec : undefined, 'outputSchema')}
          value={undefined}
          problemsOf={(output) => (isOwn ? outputProblems(flow, node.id, output) : [])}
          submitText={words.skipWith}
          submitIcon={<SkipForward aria-hidden size={13} />}
          onSubmit={(output) => send({ action: 'skip', output })}
          onCancel={end}
        />
      ) : mayAnswer ? (
        <div className="held-actions">
          <Button size="small" onClick={() => begin('skip')}>
            {words.skip}
          </Button>
        </div>
      ) : null}
    </HeldBody>
  );
}
