/**
 * `human_approval`: asks a person for approval, with a branch for each answer.
 */
import { z } from 'zod';
import { describeType } from '../../../language/types/describe-type.ts';
import { approvalDeadline } from '../deadline-fields.ts';
import { anyJson } from '../shared-schemas.ts';
import { chipOf } from '../summary-text.ts';

const anyMap = () => z.record(z.string(), anyJson);

export const humanApprovalType = describeType({
  type: 'human_approval',
  title: 'Approval',
  description: 'Asks a person to approve an action. The run waits, for days if necessary, while other work continues.',
  example: 'Pay this refund? → branch “approved” or “rejected”.',
  category: 'human',
  icon: 'approval',
  inputSchema: () =>
    z
      .object({
        title: z.string().optional().describe('Request in one line; defaults to the first line of the message'),
        message: z
          .string()
          .optional()
          .meta({ editor: 'long-text' })
          .describe('Request in full; sufficient without a title'),
        action: anyJson.optional().meta({ isAdvanced: true }).describe('Proposed action with all its details'),
        diff: z
          .string()
          .optional()
          .meta({ editor: 'long-text', isAdvanced: true })
          .describe('Proposed changes as a unified diff'),
        askedBy: z.string().optional().meta({ isAdvanced: true }).describe('Who requests the approval'),
        recommended: z.enum(['approve', 'reject']).optional().meta({ isAdvanced: true }).describe('Recommended answer'),
        notes: z.array(z.string()).optional().meta({ isAdvanced: true }).describe('Background of the proposal'),
        params: anyMap()
          .optional()
          .meta({ title: 'Editable values' })
          .describe('Values that the person can edit before approving; returned as params'),
      })
      .refine(({ title = '', message = '' }) => title.trim() !== '' || message.trim() !== '', {
        error: 'must have a "title" or a "message" that describes the request',
      }),
  configSchema: approvalDeadline,
  outputSchema: () =>
    z.object({
      route: z.enum(['approved', 'rejected']).describe('Answer. The edges of the branches test <id>.route'),
      approved: z.boolean(),
      comment: z.string().describe('Comment of the person; empty if there is none'),
      params: z.exactOptional(anyMap()).describe('Params, with any edits'),
      by: z.string().nullable().describe('Who answered'),
      at: z.number().describe('When, in epoch milliseconds'),
    }),
  effects: 'pure',
  start: () => ({ input: { title: 'Approve this action?' } }),
  routes: () => ['approved', 'rejected'],
  summary: (_config, { title }) => ['Asks a person ', chipOf(title) ?? 'nothing yet'],
});
