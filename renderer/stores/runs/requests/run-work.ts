/**
 * The stores and actions around runs, connected: start runs, list what waits, answer it.
 */
import type { StoreApi } from 'zustand/vanilla';
import type { RunId } from '../../../../engine/isomorphic.ts';
import { createDeliveryStore, type DeliveryStore } from '../../window/delivery.ts';
import type { RunHistory } from '../history/run-history.ts';
import { createSendRuns, type SendRuns } from '../history/send-runs.ts';
import { createRunMoments, type RunMoments } from '../live/run-moments.ts';
import { createRunActions, type WindowRunActions } from '../run-actions.ts';
import { type AnswerDrafts, createAnswerDrafts } from './ask-answers.ts';
import { createInbox, type InboxState } from './inbox.ts';
import { type BeginRun, createBeginRun, createPermissionAsk, type PermissionAsk } from './permission-ask.ts';
import { createWaitingList, type WaitingList } from './waiting-list.ts';

/** The actions for runs and their open requests. */
export interface RunWork {
  readonly runs: WindowRunActions;
  readonly sending: StoreApi<SendRuns>;
  readonly moments: RunMoments;
  readonly waitingList: StoreApi<WaitingList>;
  readonly inbox: StoreApi<InboxState>;
  readonly answerDrafts: StoreApi<AnswerDrafts>;
  readonly delivery: StoreApi<DeliveryStore>;
  readonly permissionAsk: StoreApi<PermissionAsk>;
  readonly begin: BeginRun;
}

export function createRunWork(
  context: Omit<Parameters<typeof createRunActions>[0], 'begin'> &
    Pick<Parameters<typeof createBeginRun>[0], 'secrets'>,
  runHistory: StoreApi<RunHistory>,
): RunWork {
  const { engine, main, liveRuns, notices, secrets } = context;
  const permissionAsk = createPermissionAsk(engine, main);
  const begin = createBeginRun({ engine, permissionAsk, secrets });
  const runs = createRunActions({ ...context, begin });
  const waitingList = createWaitingList(engine, runHistory);
  const delivery = createDeliveryStore(main);
  const lastSeq = async (runId: RunId): Promise<number> => {
    await context.follower.follow(runId);
    return liveRuns.getState().lastSeq(runId);
  };
  const moments = createRunMoments(engine, liveRuns, notices);
  const inbox = createInbox({ main, waitingList, liveRuns, runs, notices, delivery, lastSeq });
  const sending = createSendRuns({ ...context, runs });
  const answerDrafts = createAnswerDrafts();
  return { runs, sending, moments, waitingList, inbox, delivery, permissionAsk, begin, answerDrafts };
}
