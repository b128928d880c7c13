/**
 * The state of a card: the text beside its icon and what a screen reader announces.
 */
import { explainWhen, type NodeState, type RunState } from '../../engine/isomorphic.ts';
import type { NodeChecks } from '../stores/cases/case-list.ts';
import { failureBranch, wayInOutput, wayName } from '../stores/flow/branches.ts';
import { nodeDurationMs } from '../stores/runs/live/run-time.ts';
import type { ShownItems } from '../stores/runs/live/shown-items.ts';
import type { ShownState } from '../stores/runs/shown-run.ts';
import { durationText } from '../ui/quantity-text.ts';
import { type VisualState, visualStateLabels } from '../ui/state-icon.tsx';
import { type CardContent, wordsOfCode } from './card-content.ts';
import { text } from './text.ts';

export interface CardState {
  readonly state: VisualState;
  /** For a node in a loop with a selected item: the item, such as `mail 2 of 3`. Otherwise empty. */
  readonly item: string;
  /**
   * Label for an output that is pinned for later runs, if the state in the shown run does not show it. Otherwise empty.
   */
  readonly pin: string;
  /** Text beside the icon. Replaced by the elapsed time while the node runs. */
  readonly words: string;
  /** The reason as a full sentence. Null if the text is enough. */
  readonly cause: string | null;
  /** The branch that was taken, for a node with several. */
  readonly taken: string | null;
}

/** The state of a card's node in the shown run. */
export interface CardRun {
  readonly shown: ShownState;
  /** Undefined if the run has not reached it. */
  readonly node: NodeState | undefined;
  /** For a loop: its progress. */
  readonly progress: LoopCount | null;
  /** The branch that was taken, for a node with several. */
  readonly taken: string | null;
  /** Why the node is stale after an edit. Null if it is not. */
  readonly stale: string | null;
  /** For a node in a loop: the results of all items. Undefined if one of them is selected. */
  readonly items?: ShownItems | null;
  /** For a node in a loop: the selected item, as text. Undefined or empty for other nodes. */
  readonly item?: string;
}

/** Item counts of a loop. */
interface LoopCount {
  readonly done: number;
  /** Null if it is not known. */
  readonly total: number | null;
  /** For a loop without items: the number of iterations started and the maximum. Null for a loop over items. */
  readonly passes: { readonly begun: number; readonly most: number } | null;
}

/** Combines content and run into the displayed state. `run` is undefined if no run is shown over the flow. */
export function cardState(content: CardContent, run: CardRun | undefined): CardState {
  if (run?.node === undefined) return stateUnreached(content, run);
  const { shown, node, progress, taken, stale, items } = run;
  if (items != null)
    return { state: items.state, item: '', pin: '', words: items.words, cause: causeOf(node, null), taken: null };
  const own = taken !== null && shown === 'completed' ? wayName(taken) : wordsFor(shown, node);
  const words = progress === null ? own : loopWords(shown, node, progress);
  return {
    state: shown,
    item: shown === 'stale' ? '' : (run.item ?? ''),
    pin: '',
    words,
    cause: causeOf(node, stale),
    taken,
  };
}

/** Returns the state with the pin marked, if the node's output is pinned for later runs. */
export function withPin(shown: CardState, isPinned: boolean): CardState {
  if (!isPinned || shown.state === 'pinned') return shown;
  const word = visualStateLabels.pinned;
  return shown.state === 'idle' ? { ...shown, state: 'pinned', words: word } : { ...shown, pin: word };
}

/** Returns the state with the failed checks of the open test, if there are any. */
export function withChecks(shown: CardState, checks: NodeChecks | undefined): CardState {
  if (checks === undefined || checks.failed === 0) return shown;
  return { ...shown, state: 'failed', words: text.state.checksFailed(checks), cause: checks.problem };
}

/** States of a loop that none of its items explain. */
const wholeStates: ReadonlySet<ShownState> = new Set([
  ...(['skipped', 'reused', 'pinned', 'changed', 'disabled', 'stale'] as const),
]);

/** Returns the progress of a running loop, or its duration and number of items when it has ended. */
function loopWords(state: ShownState, node: NodeState, { done, total, passes }: LoopCount): string {
  if (state === 'completed') {
    const words = wordsFor(state, node);
    return passes === null ? text.loop.items({ count: done, words }) : text.loop.passes({ count: passes.begun, words });
  }
  if (wholeStates.has(state)) return wordsFor(state, node);
  if (passes !== null) return text.loop.ofPasses({ done: passes.begun, total: passes.most });
  return total === null ? text.loop.done({ count: done }) : text.loop.ofItems({ done, total });
}

/** Returns the state of a card that no run has reached. `shown` is the state it would have in the run. */
export function restState({ error, isDisabled }: CardContent, shown: ShownState): VisualState {
  if (error !== null) return 'invalid';
  return isDisabled ? 'disabled' : shown;
}

function stateUnreached(content: CardContent, run: CardRun | undefined): CardState {
  const { error, restWords } = content;
  const state = restState(content, run?.shown ?? 'idle');
  const rest = { state, item: '', pin: '', taken: null };
  if (error !== null) return { ...rest, words: error.word, cause: error.message };
  return {
    ...rest,
    words: state === 'idle' ? restWords : visualStateLabels[state],
    cause: staleText(run?.stale ?? null),
  };
}

function wordsFor(state: ShownState, node: NodeState): string {
  const durationMs = nodeDurationMs(node);
  if (node.given !== undefined) return givenWords(node.given);
  if (state === 'completed' && durationMs !== undefined) return durationText(durationMs);
  if (state === 'failed' && node.error !== undefined) return wordsOfCode(node.error.code);
  if (state === 'retrying') return text.state.attempt({ count: node.attempts });
  if (state === 'skipped' && (node.skip?.reason === 'autonomy' || node.skip?.reason === 'suggested'))
    return text.state.heldBack;
  return visualStateLabels[state];
}

/** Returns who gave a node its output, or changed it. */
export function givenWords({ by, before }: NonNullable<NodeState['given']>): string {
  const { outputGiven, outputGivenBy, outputChanged, outputChangedBy } = text.state;
  if (before === undefined) return by === undefined ? outputGiven : outputGivenBy({ name: by });
  return by === undefined ? outputChanged : outputChangedBy({ name: by });
}

/** Returns why a node is stale, as a sentence. */
function staleText(why: string | null): string | null {
  return why === null ? null : text.state.stale({ reason: why });
}

function causeOf({ error, skip, request, suggestions, given, edited }: NodeState, stale: string | null): string | null {
  if (stale !== null) return staleText(stale);
  if (request !== undefined) return request.message;
  if (error !== undefined) return error.message;
  if (given !== undefined) return givenWords(given);
  if (edited !== undefined)
    return edited.by === undefined ? text.state.edited : text.state.editedBy({ name: edited.by });
  if (skip === undefined) return null;
  if (skip.reason === 'autonomy') return heldBackText(suggestions?.[0]?.tool);
  if (skip.reason === 'suggested') return text.state.heldBackAfter;
  const reason = skip.detail === undefined ? skip.text : explainWhen(skip.detail);
  return reason === undefined || reason === '' ? skippedTexts[skip.reason] : text.state.skipped({ reason });
}

const skippedTexts = {
  when: text.state.skippedWhen,
  edge: text.state.skippedEdge,
  directive: text.state.skippedItself,
  disabled: text.state.skippedDisabled,
} as const;

function heldBackText(tool: string | undefined): string {
  return tool === undefined ? text.state.heldBackOnly : text.state.heldBackCall({ tool });
}

/** Returns the screen reader label: `summarise, prompt, running`. The name comes first because users search for it. */
export function cardLabel({ title, type }: CardContent, { state, item, pin, words }: CardState): string {
  if (state === 'idle') return `${title}, ${type}`;
  const parts = [title, type, visualStateLabels[state], words === visualStateLabels[state] ? '' : words, item, pin];
  return parts.filter((part) => part !== '').join(', ');
}

/**
 * Returns the branch that a node took, by its path in a run. Null if it has taken none yet or the branch cannot be
 * determined.
 */
export function takenBranch(
  { nodes, firedEdges }: Pick<RunState, 'nodes' | 'firedEdges'>,
  place: string,
  { nodeId, branches, isTolerated }: Pick<CardContent, 'nodeId' | 'branches' | 'isTolerated'>,
): string | null {
  const node = nodes.get(place);
  if (node?.status === 'failed' && isTolerated) return failureBranch;
  const routes = branches.filter(({ route }) => route !== failureBranch);
  if (routes.length === 0) return null;
  if (node?.status !== 'completed' && node?.status !== 'reused') return null;
  const named = wayInOutput(node.output);
  if (named !== null) return named;
  // A large output is stored separately. The edges also show the branch, if one starts there.
  const prefix = place.slice(0, -nodeId.length);
  const fired = routes.find(({ edges }) => edges.some((id) => firedEdges.has(prefix + id)));
  if (fired !== undefined) return fired.route;
  const bare = routes.filter(({ edges }) => edges.length === 0);
  return bare.length === 1 ? (bare[0]?.route ?? null) : null;
}

/** Returns the branches as text for screen readers, or undefined for a card without branches. */
export function waysText({ branches }: Pick<CardContent, 'branches'>): string | undefined {
  if (branches.length === 0) return undefined;
  return branches
    .map(({ route, targets, isRefusal }) => {
      const name = wayName(route);
      if (targets.length > 0) return text.branches.spokenTargets({ name, targets: targets.join(', ') });
      if (isRefusal === true) return text.branches.spokenFails({ name });
      return route === failureBranch ? text.branches.spokenContinues : text.branches.spokenEnds({ name });
    })
    .join(', ');
}
