/**
 * The lines of a run's log.
 */
import { inLanguage, type Named, numberText } from '../../ui/language.ts';

/** `value` is JSON on one line, shortened. */
interface Valued extends Named {
  readonly value: string;
}

interface Timed {
  /** A formatted duration. */
  readonly duration: string;
}

interface Tried extends Timed {
  readonly attempts: number;
}

export const text = inLanguage('run-view/log', {
  withDetail: ({ line, detail }: { readonly line: string; readonly detail: string }) => `${line}: ${detail}`,
  /** Stands for a value that is too large for a line. */
  large: ({ kind, size }: { readonly kind: string; readonly size: string }) => `${kind}, ${size}`,
  kinds: { string: 'text', number: 'number', boolean: 'boolean', null: 'null', array: 'list', object: 'object' },
  run: {
    started: ({ path, inputs }: { readonly path: string; readonly inputs: string }) =>
      `run of ${path} started with ${inputs}`,
    completed: ({ duration }: Timed) => `run completed after ${duration}`,
    failed: ({ duration }: Timed) => `run failed after ${duration}`,
    cancelled: ({ duration }: Timed) => `run canceled after ${duration}`,
    skipped: ({ duration }: Timed) => `run skipped after ${duration}`,
    refused: 'run refused',
    waits: 'run is waiting for a person',
    paused: 'run paused',
    pausedHere: 'run paused before this node',
    continued: 'run continued',
    continuedBy: ({ name }: Named) => `run continued by ${name}`,
    step: 'step',
    stepBy: ({ name }: Named) => `step by ${name}`,
    skip: 'run continued with an output given to this node',
    skipBy: ({ name }: Named) => `run continued by ${name} with an output given to this node`,
    edit: 'run continued with another input for this node',
    editBy: ({ name }: Named) => `run continued by ${name} with another input for this node`,
    budgetReached: 'run paused: its budget is reached',
    raised: 'budget raised',
    raisedBy: ({ name }: Named) => `budget raised by ${name}`,
    resumed: 'run resumed',
    resumedApproved: 'run resumed, approved',
    resumedRejected: 'run resumed, rejected',
  },
  phase: {
    started: ({ name }: Named) => `${name} started`,
    completed: ({ name }: Named) => `${name} completed`,
    cancelled: ({ name }: Named) => `${name} canceled`,
    failed: ({ name }: Named) => `${name} failed`,
  },
  node: {
    started: 'started',
    startedAs: ({ type }: { readonly type: string }) => `started, ${type}`,
    startedAgain: 'started again',
    startedAgainAs: ({ type }: { readonly type: string }) => `started again, ${type}`,
    completed: ({ duration, attempts }: Tried) =>
      attempts > 1 ? `completed after ${duration} in attempt ${numberText(attempts)}` : `completed after ${duration}`,
    failed: ({ duration, attempts }: Tried) =>
      attempts > 1 ? `failed after ${duration} in attempt ${numberText(attempts)}` : `failed after ${duration}`,
    canceled: 'canceled',
    canceledByFailure: 'canceled because another node failed',
    skipped: 'skipped',
    skippedBecause: {
      when: 'skipped, its condition was not met',
      edge: 'skipped, none of its incoming edges was taken',
      directive: 'skipped itself',
      autonomy: 'skipped, because the run only suggests effects',
      suggested: 'skipped, because it depends on an action that was only suggested',
      disabled: 'skipped, because it is disabled in the file',
    },
    input: ({ value }: { readonly value: string }) => `received ${value}`,
    editedInput: ({ value }: { readonly value: string }) => `received ${value}, changed by a person`,
    editedInputBy: ({ name, value }: Valued) => `received ${value}, changed by ${name}`,
    held: 'held',
    heldAtBreakpoint: 'breakpoint',
    given: 'output given by a person',
    givenBy: ({ name }: Named) => `output given by ${name}`,
    retry: ({ attempt, duration }: Timed & { readonly attempt: number }) =>
      `attempt ${numberText(attempt)} failed, next attempt in ${duration}`,
    pinned: 'pinned',
    reused: 'reused',
    waits: 'waiting for a person',
    reached: ({ node }: { readonly node: string }) => `reached from ${node}`,
    notReached: ({ node }: { readonly node: string }) => `not reached from ${node}`,
  },
  agent: {
    started: ({ name }: Named) => `${name} started`,
    ended: ({ name }: Named) => `${name} ended`,
    endedAfter: ({ name, duration }: Named & Timed) => `${name} ended after ${duration}`,
    failed: ({ name }: Named) => `${name} failed`,
    prompt: ({ provider, model }: { readonly provider: string; readonly model: string }) =>
      `prompt sent to ${model} (${provider})`,
    response: ({ duration, reason }: Timed & { readonly reason: string }) => `response after ${duration}, ${reason}`,
    responseOf: ({ duration, tokens, reason }: Timed & { readonly tokens: number; readonly reason: string }) =>
      `response after ${duration}, ${numberText(tokens)} tokens, ${reason}`,
    trace: ({ name }: Named) => `reported ${name}`,
    callResult: ({ name, value }: Valued) => `${name} returned ${value}`,
    stepMeta: 'metadata',
    plan: 'proposed a plan',
    invalidPlan: 'proposed an invalid plan',
    pinned: ({ name }: Named) => `pinned ${name}`,
    label: ({ name }: Named) => `named ${name}`,
  },
  tool: {
    requested: ({ name, value }: Valued) => `the model called ${name} with ${value}`,
    reported: ({ name }: Named) => `the model received the result of ${name}`,
    called: ({ name, value }: Valued) => `called ${name} with ${value}`,
    retry: ({ name, attempt, duration }: Named & Timed & { readonly attempt: number }) =>
      `${name} failed, attempt ${numberText(attempt)} in ${duration}`,
    returned: ({ name, value, duration }: Valued & Timed) => `${name} returned ${value} after ${duration}`,
    failed: ({ name, value, duration }: Valued & Timed) => `${name} failed with ${value} after ${duration}`,
  },
  decision: {
    allowed: ({ effect, target, rule }: { readonly effect: string; readonly target: string; readonly rule: string }) =>
      `allowed: ${effect} ${target} (${rule})`,
    denied: ({ effect, target, rule }: { readonly effect: string; readonly target: string; readonly rule: string }) =>
      `denied: ${effect} ${target} (${rule})`,
  },
  request: {
    asks: ({ title }: { readonly title: string }) => `asks: ${title}`,
    notAccepted: 'the answer was not accepted',
    notAcceptedFrom: ({ name }: Named) => `the answer from ${name} was not accepted`,
  },
});
