/**
 * Names that other tools use for Millrace's features, used in every node search. A new type adds an entry for the names
 * that people will look for. An entry without types covers a feature that is not a node.
 */

/** Names that other tools use for one feature. */
export interface OtherNames {
  /** In lowercase; spaces, dashes and dots do not matter. */
  readonly names: readonly string[];
  /** Node types with this purpose, best first; a variant is written as `type#variant`. */
  readonly types: readonly string[];
  /** The equivalent in Millrace, in a sentence or two. */
  readonly instead: string;
}

export const otherNames: readonly OtherNames[] = [
  {
    names: ['if', 'if else', 'else', 'condition', 'conditional', 'branch', 'router', 'case', 'decision', 'gate'],
    types: ['control.if', 'control.switch', 'condition.equals'],
    instead:
      'Takes one of two branches, or one of several with a switch. An edge can also have a condition: select it, then "Fires when".',
  },
  {
    names: ['sub workflow', 'sub flow', 'subgraph', 'sub process', 'execute workflow', 'call', 'run flow', 'invoke'],
    types: ['flow'],
    instead: 'Runs another flow of the workspace as a child run and returns its outputs.',
  },
  {
    names: ['mcp', 'mcp tool', 'tool call', 'function call', 'action', 'connector', 'plugin', 'integration', 'utility'],
    types: ['tool'],
    instead: 'Calls a tool: your own, from a pack, from an MCP server, or built in.',
  },
  {
    names: ['compare', 'comparison', 'boolean', 'is equal', 'assert'],
    types: ['condition.equals'],
    instead: 'Returns true or false. Conditions on nodes and edges have more comparisons: less, contains, exists.',
  },
  {
    names: ['code', 'function', 'javascript', 'js', 'execute code', 'run code', 'transform', 'compute', 'math'],
    types: ['script.js', 'script.lua', 'template', 'json.query', 'list.map'],
    instead: 'Runs JavaScript. The input is available as `input`, and the return value is the output.',
  },
  {
    names: ['script', 'lua'],
    types: ['script.lua', 'script.js', 'agent'],
    instead: 'Runs Lua that can read files, send web requests and call agents, as far as the workspace is trusted.',
  },
  {
    names: ['python', 'execute python', 'pandas', 'typescript', 'ruby', 'java'],
    types: ['script.js', 'script.lua'],
    instead: 'Code is JavaScript, which needs no installation, or Lua, which can access files and the web.',
  },
  {
    names: [
      ...['command', 'execute command', 'run command', 'shell', 'shell command', 'exec', 'spawn', 'subprocess'],
      ...['bash', 'powershell', 'cmd', 'terminal', 'cli', 'program', 'process', 'run script', 'ssh'],
    ],
    types: ['command.run'],
    instead:
      'Runs a program with a list of arguments. For a shell command line, run sh with -c. The workspace must be trusted.',
  },
  {
    names: ['set', 'edit fields', 'variable', 'assign', 'const', 'value', 'static', 'data', 'let', 'number input'],
    types: ['constant', 'template'],
    instead: 'Provides a named value that all later nodes can bind to.',
  },
  {
    names: ['merge', 'join', 'combine', 'concat', 'concatenate', 'collect', 'aggregate', 'union', 'reduce'],
    types: ['template', 'text.join', 'control.noop'],
    instead: 'Any node waits for all its incoming edges and can merge branches. This one combines values into text.',
  },
  {
    names: [
      'respond',
      'respond to webhook',
      'webhook response',
      'http response',
      'response',
      'reply',
      'return response',
    ],
    types: ['respond'],
    instead: 'Responds to the program that called a webhook of the flow. The webhook is a trigger of the flow.',
  },
  {
    names: ['delay', 'sleep', 'pause', 'timer', 'timeout', 'throttle'],
    types: ['control.wait'],
    instead: 'Waits for a number of milliseconds.',
  },
  {
    names: [
      ...['human', 'human in the loop', 'hitl', 'approval', 'approve', 'review', 'confirm', 'sign off'],
      ...['manual approval', 'send and wait', 'wait for approval', 'interrupt'],
    ],
    types: ['human_approval', 'user_input'],
    instead: 'Asks a person for approval and takes one of two branches after the answer, even days later.',
  },
  {
    names: ['wait for input', 'user input', 'form', 'ask user', 'manual', 'human input', 'question to user', 'survey'],
    types: ['user_input', 'human_approval'],
    instead:
      'Waits until a person fills in a form. For values known in advance, use an input of the flow ("flow.input"), which is requested when it runs.',
  },
  {
    names: ['plan', 'planner', 'planning', 'plan and execute', 'proposal', 'task list'],
    types: ['plan_proposal', 'prompt#json'],
    instead: 'Validates a plan from a model and returns it as data. It does not execute the plan.',
  },
  {
    names: ['loop', 'iterate', 'iterator', 'iteration', 'split in batches', 'batch', 'for', 'each item'],
    types: ['control.foreach', 'control.loop', 'list.map'],
    instead: 'Runs the nodes inside it once for each item of a list.',
  },
  {
    names: [
      ...['while', 'until', 'do while', 'repeat', 'repeat until', 'loop until', 'retry until', 'evaluator'],
      ...['reflection', 'self correct', 'refine', 'converge'],
    ],
    types: ['control.loop', 'control.foreach'],
    instead:
      'Runs the nodes inside it repeatedly until a condition is met. To retry a single node that fails, use "retry" in its policy.',
  },
  {
    names: [
      ...['llm', 'chat', 'gpt', 'openai', 'claude', 'anthropic', 'gemini', 'ollama', 'ai', 'completion', 'generate'],
      ...['model', 'chat model', 'basic llm chain', 'summarize', 'classify', 'text classifier', 'question'],
    ],
    types: ['prompt', 'agent'],
    instead: 'Sends a prompt to any model. Choose the model in the settings of the node.',
  },
  {
    names: ['ai agent', 'crew', 'assistant', 'pack'],
    types: ['agent'],
    instead: 'Runs an agent file or an agent from a pack.',
  },
  {
    names: [
      ...['api', 'rest', 'fetch', 'curl', 'url', 'web request', 'get request', 'post', 'download', 'http in'],
      ...['scrape'],
    ],
    types: ['http.request'],
    instead: 'Sends a request to a web server and returns the response.',
  },
  {
    names: [
      ...['trigger', 'webhook', 'schedule', 'cron', 'on event', 'every', 'interval', 'watch folder', 'file watcher'],
      ...['file trigger', 'schedule trigger', 'webhook trigger', 'local file trigger'],
    ],
    types: [],
    instead:
      'A trigger is a part of the flow, not a node: close this list and use "Add a trigger". It starts the flow at set times, for new files, for a request, or after another flow.',
  },
  {
    names: ['start', 'begin', 'inject', 'chat trigger', 'manual trigger', 'on click'],
    types: [],
    instead:
      'No start node is needed: a flow starts at the nodes without incoming edges. Use Run, "millrace run" or a trigger.',
  },
  {
    names: ['end', 'output', 'return', 'answer', 'result', 'finish'],
    types: ['echo', 'file.write'],
    instead: 'The outputs of the last nodes are the result of a flow. No extra node is needed.',
  },
  {
    names: ['error', 'throw', 'raise', 'stop', 'stop and error', 'exit', 'abort', 'break'],
    types: ['control.fail'],
    instead: 'Fails with a message, and the run fails too.',
  },
  {
    names: ['try', 'catch', 'retry', 'fallback', 'error handler', 'on error', 'continue on fail'],
    types: [],
    instead:
      'Each node has these settings under "Policy": attempts, the delay between them, a timeout, and whether the run continues.',
  },
  {
    names: ['no op', 'noop', 'no operation', 'do nothing', 'pass', 'pass through', 'identity', 'reroute'],
    types: ['control.noop'],
    instead: 'Does nothing and passes its value on.',
  },
  {
    names: [
      ...['text', 'string', 'format', 'markdown', 'handlebars', 'jinja', 'prompt template', 'compose', 'html'],
      ...['render'],
    ],
    types: ['template', 'echo'],
    instead: 'Creates text from values, with loops and conditions (Handlebars).',
  },
  {
    names: ['debug', 'log', 'print', 'console', 'display', 'show', 'preview', 'chat output'],
    types: ['echo'],
    instead: 'Passes text on. After a run, the tab "Output" of each node shows its output.',
  },
  {
    names: [
      ...['json', 'structured', 'structured output', 'schema', 'output parser', 'information extractor'],
      ...['extract fields', 'json mode', 'json output', 'json schema', 'pydantic', 'zod', 'typed output'],
      ...['function calling'],
    ],
    types: ['prompt#json', 'prompt', 'json.parse'],
    instead: 'A prompt for a response with fields that later nodes can bind to.',
  },
  {
    names: ['parse', 'json parse', 'parse json', 'from json', 'deserialize', 'decode', 'text to json'],
    types: ['json.parse'],
    instead: 'Parses text as JSON, or finds JSON in it.',
  },
  {
    names: ['extract', 'jq', 'jsonpath', 'jmespath', 'pick', 'get field', 'select', 'path', 'item lists'],
    types: ['json.query'],
    instead: 'Extracts parts of a value. A single field needs no node: bind to it, as in {{fetch.body.name}}.',
  },
  {
    names: ['map', 'list', 'array', 'split out', 'rename', 'for each value'],
    types: ['list.map', 'control.foreach'],
    instead: 'Creates a new list by filling a template with each item.',
  },
  {
    names: ['order', 'order by', 'rank', 'top', 'ascending', 'descending'],
    types: ['list.sort'],
    instead: 'Sorts a list by its items or by a field.',
  },
  {
    names: ['unique', 'distinct', 'dedupe', 'deduplicate', 'duplicates', 'remove duplicates'],
    types: ['list.unique'],
    instead: 'Keeps the first of several items that are equal or have an equal field.',
  },
  {
    names: ['split text', 'text splitter', 'lines', 'tokenize', 'chunk text', 'csv row'],
    types: ['text.split'],
    instead: 'Splits text at a separator, or at newlines by default.',
  },
  {
    names: ['where', 'keep', 'remove items', 'reject', 'limit'],
    types: ['list.filter'],
    instead: 'Keeps the items that meet a condition.',
  },
  {
    names: ['load', 'open', 'import', 'file input', 'document', 'csv', 'pdf', 'glob', 'read', 'directory', 'folder'],
    types: ['file.read'],
    instead: 'Reads a file, or all files that match a pattern, as text.',
  },
  {
    names: ['save', 'export', 'store', 'file output', 'write', 'append', 'save file'],
    types: ['file.write'],
    instead: 'Writes text to a file in the workspace.',
  },
  {
    names: ['parallel', 'concurrent', 'fork', 'split', 'async'],
    types: [],
    instead:
      'Nodes that do not depend on each other can run in parallel: with nothing selected, set "Max parallel" in the policy of the flow.',
  },
  {
    names: ['comment', 'note', 'sticky', 'sticky note', 'annotation'],
    types: [],
    instead: 'A note is not a node. Press Shift+S on the canvas to add one.',
  },
];
