import { z } from 'zod';
import { isoTime } from '../../../base/clock.ts';
import { EngineError } from '../../../base/engine-error.ts';
import type { JsonMap } from '../../../language/json/json-value.ts';
import { changedType } from '../../../language/types/describe-type.ts';
import { defineNodeType } from '../../flow/node-type.ts';
import { type ToolResult, toolError } from '../../kernel/capabilities/tool-capability.ts';
import type { ToolErrorCategory } from '../../kernel/events/tool-event.ts';
import { expiredCode, rejectedCode } from '../../kernel/requests/ask.ts';
import { toolType } from './tool-type.ts';

/** Error codes for steps; the details contain the engine's own code. */
const stepCodes: Readonly<Record<ToolErrorCategory, string>> = {
  validation_error: 'invalid_input',
  auth_error: 'permission_denied',
  not_found: 'not_found',
  rate_limit: 'rate_limited',
  timeout: 'timeout',
  server_error: 'backend_error',
};

/** In a list of steps: every failure has one of the codes that step retries use. */
const toolStep = defineNodeType(
  changedType(toolType, { configSchema: () => toolType.configSchema.extend({ backend: z.string().default('local') }) }),
  {
    asksWhenCut: true,
    resumesCalls: true,
    capabilities: ['tools', 'ask'],
    async run({ input, config, can, hub, signal, clock, runId, step }) {
      const scope = { hub, signal, clock, runId, depth: 0, isDry: false };
      const startedAt = clock.now();
      const result = await can.tools.call({ tool: config.tool, params: input, ofStep: true }, scope);
      if (result.status === 'error') throw stepError(result);
      const endedAt = clock.now();
      step?.note({
        ...{ tool_name: config.tool, backend: config.backend, request_id: runId, tags: {}, redacted: false },
        ...{ started_at: isoTime(startedAt), ended_at: isoTime(endedAt) },
        latency_ms: endedAt - startedAt,
      });
      return result.result;
    },
  },
);

function stepError(result: Extract<ToolResult, { readonly status: 'error' }>): EngineError {
  const { code, message, recoverable, details } = toolError(result);
  // A person's decision is not a failure of the tool.
  const own = code === rejectedCode || code === expiredCode ? code : stepCodes[result.error_category];
  return new EngineError({ code: own, message, recoverable, details: { ...(details as JsonMap), code } });
}

export const toolNode = defineNodeType(toolType, {
  inSteps: toolStep,
  asksWhenCut: true,
  resumesCalls: true,
  capabilities: ['tools', 'ask'],
  async run({ input, config, can, hub, signal, clock, runId, isWired }) {
    const scope = { hub, signal, clock, runId, depth: 0, isDry: false };
    const result = await can.tools.call({ tool: config.tool, params: input }, scope);
    if (result.status === 'error') {
      const { code, comment = '' } = result.metadata;
      if (code === rejectedCode && isWired('rejected')) return { route: 'rejected', message: result.message, comment };
      throw toolError(result);
    }
    return result.result;
  },
});
