/**
 * `aip.flow`: values that a stage returns to control how the run continues. The functions only build tables, which take
 * effect when a stage returns them.
 */
import type { ApiModule, LuaFunction } from '../api-module.ts';

function directive(about: Omit<LuaFunction, 'lua'>, kind: string): LuaFunction {
  return { ...about, lua: `function(data) return { _aipack_ = { kind = "${kind}", data = data } } end` };
}

export const flowApi: ApiModule = {
  name: 'flow',
  summary: 'Creates directives for a stage to return: skip, redo, ask a person, or change inputs, data or options.',
  members: [
    {
      name: 'skip',
      signature: 'skip(reason?: string) -> table',
      summary: 'Skips the run if returned from `# Before All`, or the input if returned from `# Data` or `# Output`.',
      lua: `function(reason)
        if reason == null then reason = nil end
        if reason ~= nil and type(reason) ~= "string" and type(reason) ~= "number" then
          error("bad argument #1: error converting Lua " .. type(reason) .. " to String (expected string or number)", 2)
        end
        return { _aipack_ = { kind = "Skip", data = { reason = reason and tostring(reason) } } }
      end`,
    },
    {
      name: 'redo_run',
      signature: 'redo_run() -> table',
      summary: 'If returned from `# Before All` or `# After All`, starts the entire run again after it ends.',
      lua: 'function() return { _aipack_ = { kind = "Redo" } } end',
    },
    directive(
      {
        name: 'before_all_response',
        signature: 'before_all_response(data: { inputs?: list, before_all?: any, options?: AgentOptions }) -> table',
        summary:
          'If returned from `# Before All`, replaces the inputs, sets `before_all` and merges options for the run.',
      },
      'BeforeAllResponse',
    ),
    directive(
      {
        name: 'data_response',
        signature:
          'data_response(data: { input?: any, data?: any, attachments?: list, options?: AgentOptions }) -> table',
        summary:
          'If returned from `# Data`, replaces the input, sets `data`, and adds attachments and options for this input.',
      },
      'DataResponse',
    ),
    directive(
      {
        name: 'ask',
        signature:
          'ask({ key: string, title: string, message?: string, schema?: table, defaults?: table, kind?: "input" | "approval", ' +
          'action?: any, diff?: string, params?: table, recommended?: string, notes?: list, asked_by?: string, on_reject?: string, ' +
          'deadline_ms?: number, deadline_at?: number, on_deadline?: string }) -> table',
        summary:
          'If returned from `# Data` or `# Output`, sends a request to a person: a question for values if there is a `schema`, otherwise an approval. ' +
          'The input waits while other inputs continue. After the answer, the stage runs again from its start and can read it in `CTX.ANSWERS[key]`.',
      },
      'Ask',
    ),
  ],
};
