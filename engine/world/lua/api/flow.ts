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
  summary: 'Directives that a stage returns: skip, redo, ask a person, other inputs, data or options.',
  members: [
    {
      name: 'skip',
      signature: 'skip(reason?: string) -> table',
      summary: 'Returned from `# Before All`, skips the run; from `# Data` or `# Output`, the input.',
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
      summary: 'Returned from `# Before All` or `# After All`, makes the whole run start again when it has ended.',
      lua: 'function() return { _aipack_ = { kind = "Redo" } } end',
    },
    directive(
      {
        name: 'before_all_response',
        signature: 'before_all_response(data: { inputs?: list, before_all?: any, options?: AgentOptions }) -> table',
        summary: 'Returned from `# Before All`, replaces the inputs, sets `before_all` and merges options for the run.',
      },
      'BeforeAllResponse',
    ),
    directive(
      {
        name: 'data_response',
        signature:
          'data_response(data: { input?: any, data?: any, attachments?: list, options?: AgentOptions }) -> table',
        summary:
          'Returned from `# Data`, replaces the input, sets `data`, adds attachments and options for this input.',
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
          'Returned from `# Data` or `# Output`, asks a person: with a `schema` for values, without one whether something may be done. ' +
          'The input waits, the others go on; with the answer the stage runs again from its start and finds it in `CTX.ANSWERS[key]`.',
      },
      'Ask',
    ),
  ],
};
