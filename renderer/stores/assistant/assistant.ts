/**
 * The assistant: one conversation per file. A request results in a proposal at most, which opens as a review.
 */
import { createStore, type StoreApi } from 'zustand/vanilla';
import { toErrorRecord } from '../../../engine/isomorphic.ts';
import type { EngineArgs, EngineClient, EngineItem, EngineResult } from '../../bridge/engine-client.ts';
import { openProposal } from '../review/open-proposal.ts';
import type { Reviews } from '../review/reviews.ts';
import type { LiveRuns } from '../runs/live/live-runs.ts';
import type { OpenFiles } from '../text/files.ts';
import { isAtOrBelow, movedKeys, movedPath } from '../text/paths.ts';
import type { WindowNotices } from '../window/notices.ts';
import type { Panes } from '../window/panes.ts';
import type { Selection } from '../window/selection.ts';
import type { Workspace } from '../workspace/workspace.ts';
import {
  emptyTalk,
  type FactSentence,
  keepEntries,
  keptPaths,
  type OpenRequest,
  readEntries,
  type SentContext,
  type Talk,
  type TalkEntry,
} from './talk.ts';
import { text as words } from './text.ts';

/** The maximum that one request may use. Dollars apply to models with a known price. */
export const requestBudget = { tokens: 200_000, usd: 0.25, seconds: 600 };
const unpricedBudget = { tokens: requestBudget.tokens, seconds: requestBudget.seconds };

/** What to fix: a problem, a node or its problems, the shown run, or all problems. */
export type FixSubject =
  | { readonly need: 'failed-node' | 'problems-of-node'; readonly nodeId: string }
  | { readonly need: 'failed-run' | 'problems' }
  | { readonly need: 'problem'; readonly line: number; readonly code: string };

function fixMessage(subject: FixSubject): string {
  const { fix } = words;
  switch (subject.need) {
    case 'failed-node':
      return fix.node({ id: subject.nodeId });
    case 'problems-of-node':
      return fix.nodeProblems({ id: subject.nodeId });
    case 'failed-run':
      return fix.run;
    case 'problems':
      return fix.problems;
    case 'problem':
      return fix.problem(subject);
  }
}

export interface Assistant {
  readonly isOpen: boolean;
  readonly talks: ReadonlyMap<string, Talk>;
  /** Path of the file for which the message field takes the focus when it appears; null for none. */
  readonly focusIn: string | null;
  setOpen(isOpen: boolean): void;
  /** Opens the panel with the focus in the message field. */
  show(path: string): void;
  /** Like `show`, with a message that is added to an unsent one. The person sends it. */
  suggest(path: string, message: string): void;
  /** Opens the panel with a message that asks to fix something. */
  suggestFix(path: string, subject: FixSubject): void;
  /** Adds an explanation to the conversation, and opens the panel. */
  explain(path: string, title: string, facts: readonly FactSentence[]): void;
  /** Called when the field has taken the focus. */
  focused(): void;
  /** Returns the conversation about a file. */
  talkOf(path: string): Talk;
  type(path: string, unsent: string): void;
  /** Sends the unsent message. The first one of a conversation is sent after `confirm`. */
  ask(path: string): Promise<void>;
  confirm(path: string): Promise<void>;
  /** Shows what a request would send. */
  showSent(path: string): Promise<void>;
  hideSent(path: string): void;
  cancel(path: string): void;
  /** Deletes the conversation. */
  clear(path: string): void;
  openProposal(id: string): Promise<void>;
  /** Moves the conversations of a renamed file, or of all files below a renamed folder. */
  rename(from: string, to: string): void;
}

interface AssistantServices {
  readonly engine: EngineClient;
  readonly openFiles: StoreApi<OpenFiles>;
  readonly liveRuns: StoreApi<LiveRuns>;
  readonly selection: StoreApi<Selection>;
  readonly reviews: StoreApi<Reviews>;
  readonly panes: StoreApi<Panes>;
  readonly notices: StoreApi<WindowNotices>;
  readonly workspace: StoreApi<Workspace>;
}

type Progress = EngineItem<'watchAssistance'>;

function advanced(request: OpenRequest, progress: Progress): OpenRequest {
  if (progress.type === 'text') return { ...request, text: request.text + progress.text };
  // Text before a tool call is not part of the answer.
  if (progress.type === 'tool') return { ...request, text: '', tools: [...request.tools, progress.tool] };
  const { tokens, costUsd } = progress;
  return { ...request, tokens, ...(costUsd === undefined ? {} : { costUsd }) };
}

function entryOf({ text, proposal, problem, tokens, costUsd }: EngineResult<'assist'>): TalkEntry {
  return {
    ...{ by: 'assistant', text, tokens },
    ...(proposal === undefined ? {} : { proposal: { id: proposal.id, title: proposal.title } }),
    ...(problem === undefined ? {} : { problem: problem.message }),
    ...(costUsd === undefined ? {} : { costUsd }),
  };
}

/** The conversations, and the calls about them. */
class AssistantDesk {
  readonly #services: AssistantServices;
  readonly #store: StoreApi<Assistant>;
  #lastId = 0;

  constructor(services: AssistantServices, store: StoreApi<Assistant>) {
    this.#services = services;
    this.#store = store;
  }

  talkOf(path: string): Talk {
    return this.#store.getState().talks.get(path) ?? { ...emptyTalk, entries: readEntries(this.#folder(), path) };
  }

  change(path: string, change: Partial<Talk>): void {
    const talk = { ...this.talkOf(path), ...change };
    this.#store.setState(({ talks }) => ({ talks: new Map(talks).set(path, talk) }));
    if (change.entries !== undefined) keepEntries(this.#folder(), path, change.entries);
  }

  suggest(path: string, message: string): void {
    const { unsent } = this.talkOf(path);
    if (!unsent.endsWith(message)) this.change(path, { unsent: unsent === '' ? message : `${unsent}\n${message}` });
  }

  follow(progress: Progress): void {
    for (const [path, { request }] of this.#store.getState().talks)
      if (request?.id === progress.id) this.change(path, { request: advanced(request, progress) });
  }

  async show(path: string, isConfirming: boolean): Promise<void> {
    try {
      this.change(path, { sent: await this.#preview(path), isConfirming });
    } catch (error) {
      this.#addAnswer(path, { by: 'assistant', text: '', problem: toErrorRecord(error).message });
    }
  }

  /** Sends the unsent message, with the data that the person confirms or else with the current data. */
  async send(path: string): Promise<void> {
    const { unsent, entries, request, isConfirming, sent: shown } = this.talkOf(path);
    const message = unsent.trim();
    if (message === '' || request !== null) return;
    const control = new AbortController();
    const id = `request-${++this.#lastId}`;
    const question: TalkEntry = { by: 'person', text: message };
    this.change(path, {
      entries: [...entries, question],
      request: { id, text: '', tools: [], tokens: 0, cancel: () => control.abort() },
      ...{ unsent: '', sent: null, isConfirming: false },
    });
    try {
      const sent = isConfirming && shown !== null ? shown : await this.#preview(path);
      const withSent = (one: TalkEntry): TalkEntry => (one === question ? { ...one, sent } : one);
      this.change(path, { entries: this.talkOf(path).entries.map(withSent) });
      const said = entries.filter(({ facts }) => facts === undefined);
      const earlier = said.slice(-20).map(({ by, text }) => ({ by, text }));
      const budget = sent.isPriced ? requestBudget : unpricedBudget;
      const asked = { ...sent.subject, id, message, earlier, budget, seen: sent.data };
      const answer = await this.#services.engine.call('assist', asked, control.signal);
      if (answer.problem?.code === 'assistant.changed') await this.#showAgain(path, entries, message);
      else this.#addAnswer(path, entryOf(answer));
    } catch (error) {
      const problem = control.signal.aborted ? words.canceled : toErrorRecord(error).message;
      this.#addAnswer(path, { by: 'assistant', text: this.talkOf(path).request?.text ?? '', problem });
    }
  }

  /** Nothing was sent, so the message waits again. */
  async #showAgain(path: string, entries: Talk['entries'], message: string): Promise<void> {
    this.change(path, { entries, request: null, unsent: message });
    await this.show(path, true);
  }

  async #preview(path: string): Promise<SentContext> {
    const subject = this.#subject(path);
    return { ...(await this.#services.engine.call('previewAssistance', subject)), subject };
  }

  rename(from: string, to: string): void {
    for (const path of keptPaths(this.#folder())) {
      if (!isAtOrBelow(path, from)) continue;
      keepEntries(this.#folder(), movedPath(path, from, to), readEntries(this.#folder(), path));
      keepEntries(this.#folder(), path, []);
    }
    this.#store.setState(({ talks }) => ({ talks: movedKeys(talks, from, to) }));
  }

  async openProposal(id: string): Promise<void> {
    try {
      await openProposal(this.#services, id);
    } catch (error) {
      this.#services.notices.getState().addError(words.notOpened, error);
    }
  }

  #addAnswer(path: string, entry: TalkEntry): void {
    this.change(path, { entries: [...this.talkOf(path).entries, entry], request: null });
    const { proposal } = entry;
    if (proposal !== undefined) void this.openProposal(proposal.id);
  }

  #folder(): string {
    return this.#services.workspace.getState().folder ?? '';
  }

  #subject(path: string): EngineArgs<'previewAssistance'>[0] {
    const { openFiles, selection, liveRuns } = this.#services;
    const nodes = [...(selection.getState().views.get(path)?.chosen.nodes ?? [])];
    const run = liveRuns.getState().shown.get(path);
    return {
      ...{ file: path, text: openFiles.getState().files.get(path)?.text ?? '' },
      ...(nodes.length === 0 ? {} : { selection: nodes }),
      ...(run === undefined ? {} : { runId: run.runId }),
    };
  }
}

/** Creates the store. The second value ends it. */
export function createAssistant(services: AssistantServices): readonly [StoreApi<Assistant>, () => void] {
  const store = createStore<Assistant>()((set) => ({
    isOpen: false,
    talks: new Map(),
    focusIn: null,
    setOpen: (isOpen) => set({ isOpen }),
    show(path) {
      set({ isOpen: true, focusIn: path });
    },
    suggest(path, message) {
      desk.suggest(path, message);
      set({ isOpen: true, focusIn: path });
    },
    suggestFix: (path, subject) => store.getState().suggest(path, fixMessage(subject)),
    explain(path, title, facts) {
      desk.change(path, {
        entries: [...desk.talkOf(path).entries, { by: 'assistant', text: title, facts: [...facts] }],
      });
      set({ isOpen: true });
    },
    focused: () => set({ focusIn: null }),
    talkOf: (path) => desk.talkOf(path),
    type: (path, unsent) => desk.change(path, { unsent }),
    async ask(path) {
      const { entries, unsent } = desk.talkOf(path);
      if (unsent.trim() === '') return;
      await (entries.every(({ by }) => by === 'assistant') ? desk.show(path, true) : desk.send(path));
    },
    confirm: (path) => desk.send(path),
    showSent: (path) => desk.show(path, false),
    hideSent: (path) => desk.change(path, { sent: null, isConfirming: false }),
    cancel: (path) => desk.talkOf(path).request?.cancel(),
    clear(path) {
      desk.talkOf(path).request?.cancel();
      desk.change(path, emptyTalk);
    },
    openProposal: (id) => desk.openProposal(id),
    rename: (from, to) => desk.rename(from, to),
  }));
  const desk = new AssistantDesk(services, store);
  return [store, services.engine.stream('watchAssistance', (progress) => desk.follow(progress))];
}
