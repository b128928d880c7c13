/**
 * Calls from a window to its engine host about conversations, and notices about the conversations it follows. Part of
 * `engine-contract.ts`.
 */
import { z } from 'zod';
import type {
  CatalogueVersion,
  JsonMap,
  JsonValue,
  MessageView,
  OutsideEffect,
  SessionEnvelope,
  SessionId,
  SessionView,
} from '../../../engine/isomorphic.ts';
import { call, stream } from '../rpc.ts';
import { runId } from '../run-summary.ts';
import { workspacePath } from './file-contract.ts';
import { startConversationRequest } from './start-contract.ts';

const done = z.void();
const sessionId = z.string().min(1).max(100) as unknown as z.ZodType<SessionId, string>;
/** Id of a turn, message or flow. */
const innerId = z.string().min(1).max(200);
const seq = z.number().int();

// Data from the engine of this build is trusted, so only its outer shape is checked.
const viewFrame = z.looseObject({
  sessionId: z.string(),
  seq,
  lastSeq: seq,
  messages: z.array(z.looseObject({ seq, text: z.string() })),
  stack: z.array(z.looseObject({ flowId: z.string(), slots: z.array(z.looseObject({ name: z.string() })) })),
});
const sessionView = z.custom<SessionView>((value) => viewFrame.safeParse(value).success);
const messageFrame = z.looseObject({ seq, at: z.number(), from: z.string(), text: z.string() });
const message = z.custom<MessageView>((value) => messageFrame.safeParse(value).success);
const envelopeFrame = z.looseObject({ seq, at: z.number(), event: z.looseObject({ type: z.string() }) });
const envelope = z.custom<SessionEnvelope>((value) => envelopeFrame.safeParse(value).success);
const catalogue: z.ZodType<CatalogueVersion> = z.object({ path: z.string(), hash: z.string(), name: z.string() });
const effect: z.ZodType<OutsideEffect> = z.object({ runId: z.string(), tool: z.string(), target: z.string() });

const summary = z.object({
  sessionId: sessionId as unknown as z.ZodType<SessionId>,
  catalogue,
  startedAt: z.number(),
  changedAt: z.number(),
  turnCount: z.number(),
  title: z.string(),
});

/** Only checks for plain data. The engine rejects values that a slot does not accept. */
const slots = z.record(z.string().max(200), z.json() as z.ZodType<JsonValue>) as z.ZodType<JsonMap>;
const action = z.strictObject({
  flow: z.exactOptional(z.string().min(1).max(200)),
  flowId: z.exactOptional(innerId),
  slots: z.exactOptional(slots),
  drop: z.exactOptional(z.literal(true)),
  goesOn: z.exactOptional(z.literal(true)),
});

/** Maximum number of characters in a user message. */
const longestText = 100_000;

export const conversationContract = {
  startConversation: call([startConversationRequest], z.object({ sessionId })),
  listConversations: call(
    [z.strictObject({ path: z.exactOptional(workspacePath), isGone: z.exactOptional(z.literal(true)) })],
    z.array(summary).readonly(),
  ),
  moveConversation: call(
    [z.strictObject({ sessionId, path: workspacePath })],
    z.object({ from: z.string().nullable() }),
  ),
  openConversation: call([sessionId], sessionView),
  sayInConversation: call(
    [
      z.strictObject({
        sessionId,
        text: z.exactOptional(z.string().max(longestText)),
        action: z.exactOptional(action),
        messageId: z.exactOptional(innerId),
      }),
    ],
    z.object({ messageId: z.string() }),
  ),
  cancelTurn: call([sessionId], done),
  rollBackConversation: call(
    [z.strictObject({ sessionId, turnId: innerId })],
    z.object({ effects: z.array(effect).readonly() }),
  ),
  runProposedPlan: call([z.strictObject({ sessionId, runId, nodeId: innerId })], z.object({ messageId: z.string() })),
  readConversation: call([z.strictObject({ sessionId, seq: z.exactOptional(seq.min(-1)) })], sessionView),
  readConversationMessages: call(
    [z.strictObject({ sessionId, before: z.exactOptional(seq), limit: z.exactOptional(seq.min(1).max(500)) })],
    z.array(message).readonly(),
  ),
  readConversationEvents: call([z.strictObject({ sessionId, fromSeq: seq.min(0) })], z.array(envelope).readonly()),
  /** Adds the conversation to `watchConversations` until the window unfollows it. */
  followConversation: call([sessionId], done),
  leaveConversation: call([sessionId], done),
  /** Streams notices of the followed conversations. For a reply in progress, only the latest draft is sent. */
  watchConversations: stream(
    z.object({
      sessionId,
      notice: z.union([
        z.object({ type: z.literal('events'), events: z.array(envelope).readonly() }),
        z.object({ type: z.literal('draft'), turnId: z.string(), text: z.string() }),
      ]),
    }),
  ),
} as const;
