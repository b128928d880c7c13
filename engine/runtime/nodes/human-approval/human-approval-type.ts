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
  description:
    'Asks a person whether something may be done. The run waits, for days if need be, and everything else goes on.',
  example: 'Pay this refund? → way “approved” or “rejected”.',
  category: 'human',
  icon: 'approval',
  inputSchema: () =>
    z
      .object({
        title: z.string().optional().describe('What is asked, in one line; the first line of the message when empty'),
        message: z
          .string()
          .optional()
          .meta({ editor: 'long-text' })
          .describe('What is asked, at length; enough without a title'),
        action: anyJson.optional().describe('All that is proposed, as it would be done'),
        diff: z.string().optional().meta({ editor: 'long-text' }).describe('What would change, as a unified diff'),
        askedBy: z.string().optional().describe('Who wants to do it'),
        recommended: z.enum(['approve', 'reject']).optional().describe('The answer that is recommended'),
        notes: z.array(z.string()).optional().describe('What led to the proposal'),
        params: anyMap()
          .optional()
          .meta({ title: 'What the person may edit' })
          .describe('Values that can be changed before they are approved; they come back as params'),
      })
      .refine(({ title = '', message = '' }) => title.trim() !== '' || message.trim() !== '', {
        error: 'must have a "title" or a "message": one of them says what is asked',
      }),
  configSchema: approvalDeadline,
  outputSchema: () =>
    z.object({
      route: z.enum(['approved', 'rejected']).describe('The answer; edges that follow it ask for <id>.route'),
      approved: z.boolean(),
      comment: z.string().describe('What the person had to say; empty when that was nothing'),
      params: z.exactOptional(anyMap()).describe('The params, as edited, or as they were'),
      by: z.string().nullable().describe('Who answered'),
      at: z.number().describe('When, in epoch milliseconds'),
    }),
  effects: 'pure',
  start: () => ({ input: { title: 'May this be done?' } }),
  routes: () => ['approved', 'rejected'],
  summary: (_config, { title }) => ['Asks a person ', chipOf(title) ?? 'nothing yet'],
});
