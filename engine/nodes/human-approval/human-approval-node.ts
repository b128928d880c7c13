import { EngineError } from '../../base/engine-error.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import type { JsonMap } from '../../flowspec/json-value.ts';
import { type ApprovalRequest, rejectedCode } from '../../kernel/ask.ts';
import { humanApprovalType } from './human-approval-type.ts';

/** Under it the node asks, and an answer is given. */
const key = 'approval';

export const humanApprovalNode = defineNodeType(humanApprovalType, {
  hosting: 'workflow',
  capabilities: ['ask'],
  run: async ({ nodeId, input, config, can, isWired }) => {
    const request = JSON.parse(JSON.stringify({ kind: 'approval', ...input, ...config })) as ApprovalRequest;
    const { payload, by, at } = await can.ask(key, request);
    // Who edits nothing approves what was proposed.
    const params = (payload['params'] ?? request.params) as JsonMap | undefined;
    const approved = payload['approved'] === true;
    const comment = String(payload['comment'] ?? '');
    if (!approved && !isWired('rejected')) throw rejected(nodeId, { by, comment });
    return {
      route: approved ? ('approved' as const) : ('rejected' as const),
      ...{ approved, comment },
      ...(params === undefined ? {} : { params }),
      ...{ by: by ?? null, at },
    };
  },
});

function rejected(
  nodeId: string,
  { by, comment }: { readonly by: string | undefined; readonly comment: string },
): EngineError {
  const who = by === undefined ? '' : ` by ${by}`;
  const why = comment === '' ? '' : `: ${comment}`;
  return new EngineError({ code: rejectedCode, message: `What "${nodeId}" asked was rejected${who}${why}` });
}
