import { z } from 'zod';
import { EngineError } from '../../../base/engine-error.ts';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { approvalOf, titleOf } from '../../../language/steps/approval-request.ts';
import { changedType } from '../../../language/types/describe-type.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { type ApprovalRequest, rejectedCode } from '../../kernel/requests/ask.ts';
import { anyJson } from '../shared-schemas.ts';
import { humanApprovalType } from './human-approval-type.ts';

/** Key of the question and its answer. */
const key = 'approval';

/** In a list of steps: its params are the request's context, and a rejection ends the run. */
const humanApprovalStep = defineNodeType(
  changedType(humanApprovalType, {
    inputSchema: () => z.record(z.string(), anyJson),
    configSchema: () =>
      z.object({
        title: z.string().optional(),
        message: z.string().optional(),
        deadline_ms: z.number().optional(),
        on_deadline: z.enum(['remind', 'approve', 'reject', 'fail']).optional(),
      }),
    outputSchema: () =>
      humanApprovalType.outputSchema.extend({ payload: z.exactOptional(z.record(z.string(), anyJson)) }),
  }),
  {
    hosting: 'workflow',
    capabilities: ['ask'],
    run: async ({ nodeId, input, config, can }) => {
      const { deadline_ms: deadlineMs, on_deadline: onDeadline } = config;
      const request = approvalOf(nodeId, input, config);
      const { payload, by, at } = await can.ask(key, {
        ...{ kind: 'approval', ...request },
        ...(deadlineMs === undefined ? {} : { deadlineMs }),
        ...(onDeadline === undefined ? {} : { onDeadline }),
      });
      const { approved, comment: said, ...given } = payload;
      const comment = String(said ?? '');
      if (approved !== true) throw rejected(request.title, { by, comment });
      return {
        ...{ route: 'approved' as const, approved: true, comment },
        ...(Object.keys(given).length === 0 ? {} : { payload: given }),
        ...{ by: by ?? null, at },
      };
    },
  },
);

export const humanApprovalNode = defineNodeType(humanApprovalType, {
  inSteps: humanApprovalStep,
  hosting: 'workflow',
  capabilities: ['ask'],
  run: async ({ nodeId, input, config, can, isWired }) => {
    const title = titleOf(input.title, input.message) || `Approve "${nodeId}"?`;
    const request = JSON.parse(JSON.stringify({ kind: 'approval', ...input, title, ...config })) as ApprovalRequest;
    const { payload, by, at } = await can.ask(key, request);
    // Without edits, the proposed params are approved.
    const params = (payload['params'] ?? request.params) as JsonMap | undefined;
    const approved = payload['approved'] === true;
    const comment = String(payload['comment'] ?? '');
    if (!approved && !isWired('rejected')) throw rejected(title, { by, comment });
    return {
      route: approved ? ('approved' as const) : ('rejected' as const),
      ...{ approved, comment },
      ...(params === undefined ? {} : { params }),
      ...{ by: by ?? null, at },
    };
  },
});

function rejected(
  title: string,
  { by, comment }: { readonly by: string | undefined; readonly comment: string },
): EngineError {
  const who = by === undefined ? '' : ` by ${by}`;
  const why = comment === '' ? '' : `: ${comment}`;
  return new EngineError({ code: rejectedCode, message: `"${title}" was rejected${who}${why}` });
}
