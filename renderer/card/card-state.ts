/**
 * What a card shows beside its name: one state, the words at its icon, and what a screen reader says.
 */
import { explainWhen, type NodeState, type RunState } from '../../engine/isomorphic.ts';
import { failedWay, wayInOutput, wayName } from '../stores/flow/ways.ts';
import { nodeDurationMs } from '../stores/runs/run-time.ts';
import type { ShownItems } from '../stores/runs/shown-items.ts';
import type { ShownState } from '../stores/runs/shown-run.ts';
import { durationText, pluralText } from '../ui/quantity-text.ts';
import { stateWords, type VisualState } from '../ui/state-icon.tsx';
import { type CardContent, wordsOfCode } from './card-content.ts';

export interface CardState {
  readonly state: VisualState;
  /** Of a node in a loop of which one item is looked at: which, as `mail 2 of 3`; else empty. */
  readonly item: string;
  /** Its output is pinned for runs to come, which its state in the shown run does not say: the word for that; else empty. */
  readonly pin: string;
  /** Beside the icon; while it runs the elapsed time stands there instead. */
  readonly words: string;
  /** Why, in a whole sentence; null when the words say it all. */
  readonly cause: string | null;
  /** Of a node with several ways out: the one it took. */
  readonly taken: string | null;
}

/** What the shown run says of a card's node. */
export interface CardRun {
  readonly shown: ShownState;
  /** Undefined while the run has not reached it. */
  readonly node: NodeState | undefined;
  /** Of a loop: how far it is. */
  readonly progress: LoopCount | null;
  /** Of a node with several ways out: the one it took. */
  readonly taken: string | null;
  /** Why it would run anew after an edit; null where it would not. */
  readonly stale: string | null;
  /** Of a node in a loop: how all of its items went; absent when one of them is looked at. */
  readonly items?: ShownItems | null;
  /** Of a node in a loop: the item that is looked at, in words; absent or empty for others. */
  readonly item?: string;
}

/** Items of a loop. */
interface LoopCount {
  readonly done: number;
  /** Null while nobody knows. */
  readonly total: number | null;
  /** Of a loop of passes: how many have begun, and how many there may be; null for one of items. */
  readonly passes: { readonly begun: number; readonly most: number } | null;
}

/** Folds content and run into what is shown. `run` is undefined when no run lies over the flow. */
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

/** The same where the node's output is pinned or not: in runs to come it gives that. */
export function withPin(shown: CardState, isPinned: boolean): CardState {
  if (!isPinned || shown.state === 'pinned') return shown;
  const word = stateWords.pinned;
  return shown.state === 'idle' ? { ...shown, state: 'pinned', words: word } : { ...shown, pin: word };
}

/** How far it is while it goes on; then how long it took, for how many. */
function loopWords(state: ShownState, node: NodeState, { done, total, passes }: LoopCount): string {
  if (state === 'completed') {
    const count = passes === null ? pluralText(done, 'item') : passes.begun === 1 ? '1 pass' : `${passes.begun} passes`;
    return `${count}, ${wordsFor(state, node)}`;
  }
  if (state === 'skipped' || state === 'reused' || state === 'pinned' || state === 'disabled' || state === 'stale')
    return wordsFor(state, node);
  if (passes !== null) return `${passes.begun} of at most ${passes.most}`;
  return total === null ? `${done} done` : `${done} of ${total}`;
}

/** The state of a card that no run has reached; `shown` is what it would be in the run. */
export function restState({ error, isDisabled }: CardContent, shown: ShownState): VisualState {
  if (error !== null) return 'invalid';
  return isDisabled ? 'disabled' : shown;
}

function stateUnreached(content: CardContent, run: CardRun | undefined): CardState {
  const { error, restWords } = content;
  const state = restState(content, run?.shown ?? 'idle');
  const rest = { state, item: '', pin: '', taken: null };
  if (error !== null) return { ...rest, words: error.word, cause: error.message };
  return { ...rest, words: state === 'idle' ? restWords : stateWords[state], cause: staleText(run?.stale ?? null) };
}

function wordsFor(state: ShownState, node: NodeState): string {
  const durationMs = nodeDurationMs(node);
  if (state === 'completed' && durationMs !== undefined) return durationText(durationMs);
  if (state === 'failed' && node.error !== undefined) return wordsOfCode(node.error.code);
  if (state === 'retrying') return `attempt ${node.attempts}`;
  if (state === 'skipped' && (node.skip?.reason === 'autonomy' || node.skip?.reason === 'suggested'))
    return 'held back';
  return stateWords[state];
}

/** Why a node is stale, as a sentence. */
function staleText(why: string | null): string | null {
  return why === null ? null : `Stale, as the last run no longer holds here: ${why}.`;
}

function causeOf({ error, skip, request, suggestions }: NodeState, stale: string | null): string | null {
  if (stale !== null) return staleText(stale);
  if (request !== undefined) return request.message;
  if (error !== undefined) return error.message;
  if (skip === undefined) return null;
  if (skip.reason === 'autonomy') return heldBackText(suggestions?.[0]?.tool);
  if (skip.reason === 'suggested') return 'Held back: it depends on an action that was only suggested.';
  return skip.detail === undefined ? `Skipped: ${skip.reason}` : `Skipped: ${explainWhen(skip.detail)}`;
}

function heldBackText(tool: string | undefined): string {
  return tool === undefined
    ? 'Held back: it only suggests what it would do'
    : `Held back: it would have called ${tool}`;
}

/** What a screen reader says: `summarise, prompt, running`. The name comes first, as people look for it. */
export function cardLabel({ title, type }: CardContent, { state, item, pin, words }: CardState): string {
  if (state === 'idle') return `${title}, ${type}`;
  const parts = [title, type, stateWords[state], words === stateWords[state] ? '' : words, item, pin];
  return parts.filter((part) => part !== '').join(', ');
}

/** The way that a node took, by its place in a run; null while it has not, or when nobody can tell. */
export function takenBranch(
  { nodes, firedEdges }: Pick<RunState, 'nodes' | 'firedEdges'>,
  place: string,
  { nodeId, branches, isTolerated }: Pick<CardContent, 'nodeId' | 'branches' | 'isTolerated'>,
): string | null {
  const node = nodes.get(place);
  if (node?.status === 'failed' && isTolerated) return failedWay;
  const routes = branches.filter(({ route }) => route !== failedWay);
  if (routes.length === 0) return null;
  if (node?.status !== 'completed' && node?.status !== 'reused') return null;
  const named = wayInOutput(node.output);
  if (named !== null) return named;
  // A large output is kept elsewhere. Edges tell the way too, if one leaves there.
  const prefix = place.slice(0, -nodeId.length);
  const fired = routes.find(({ edges }) => edges.some((id) => firedEdges.has(prefix + id)));
  if (fired !== undefined) return fired.route;
  const bare = routes.filter(({ edges }) => edges.length === 0);
  return bare.length === 1 ? (bare[0]?.route ?? null) : null;
}

/** The ways out in words, for screen readers; undefined for a card that has none. */
export function waysText({ branches }: Pick<CardContent, 'branches'>): string | undefined {
  if (branches.length === 0) return undefined;
  return branches
    .map(({ route, targets }) => {
      const name = wayName(route);
      if (targets.length > 0) return `${name} to ${targets.join(', ')}`;
      return route === failedWay ? 'goes on when it fails' : `${name} ends here`;
    })
    .join(', ');
}
