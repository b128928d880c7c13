/**
 * Names that other tools use for the features of Millrace: data for every search of nodes. A new type adds an entry for
 * the names that people will look for. An entry without types is about something that is not a node.
 */

/** Names that other tools use for one feature. */
export interface OtherNames {
  /** In lower case; spaces, dashes and dots do not matter. */
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
      'Goes one of two ways, or of several with a switch. An edge can have a condition as well: select it, then "Fires when".',
  },
  {
    names: ['sub workflow', 'sub flow', 'subgraph', 'sub process', 'execute workflow', 'call', 'run flow', 'invoke'],
    types: ['flow'],
    instead: 'Runs another flow of the workspace as a run of its own, and gives what that declares as its outputs.',
  },
  {
    names: ['mcp', 'mcp tool', 'tool call', 'function call', 'action', 'connector', 'plugin', 'integration', 'utility'],
    types: ['tool'],
    instead: 'Calls a tool: one of your own, of a pack, of an MCP server, or one that comes with the program.',
  },
  {
    names: ['compare', 'comparison', 'boolean', 'is equal', 'assert'],
    types: ['condition.equals'],
    instead: 'Gives true or false. Conditions on nodes and edges compare more: less, contains, exists.',
  },
  {
    names: ['code', 'function', 'javascript', 'js', 'execute code', 'run code', 'transform', 'compute', 'math'],
    types: ['script.js', 'script.lua', 'template', 'json.query', 'list.map'],
    instead: 'Runs JavaScript: the input is known as input, and what the code returns is the output.',
  },
  {
    names: ['script', 'lua'],
    types: ['script.lua', 'script.js', 'agent'],
    instead: 'Runs Lua that may read files, ask the web and call agents, as far as the workspace is trusted.',
  },
  {
    names: ['python', 'execute python', 'pandas', 'typescript', 'ruby', 'java'],
    types: ['script.js', 'script.lua'],
    instead: 'Code is JavaScript here, which needs nothing installed, or Lua, which may reach files and the web.',
  },
  {
    names: [
      ...['command', 'execute command', 'run command', 'shell', 'shell command', 'exec', 'spawn', 'subprocess'],
      ...['bash', 'powershell', 'cmd', 'terminal', 'cli', 'program', 'process', 'run script', 'ssh'],
    ],
    types: ['command.run'],
    instead:
      'Runs a program with a list of arguments; for a line of a shell, run sh with -c. The workspace must be trusted.',
  },
  {
    names: ['set', 'edit fields', 'variable', 'assign', 'const', 'value', 'static', 'data', 'let', 'number input'],
    types: ['constant', 'template'],
    instead: 'Holds a value under a name; every node behind it can bind to it.',
  },
  {
    names: ['merge', 'join', 'combine', 'concat', 'concatenate', 'collect', 'aggregate', 'union', 'reduce'],
    types: ['template', 'text.join', 'control.noop'],
    instead:
      'Every node waits for all edges that lead to it, so any node merges. This one puts values together as text.',
  },
  {
    names: ['delay', 'sleep', 'pause', 'timer', 'timeout', 'throttle'],
    types: ['control.wait'],
    instead: 'Waits for some milliseconds.',
  },
  {
    names: [
      ...['human', 'human in the loop', 'hitl', 'approval', 'approve', 'review', 'confirm', 'sign off'],
      ...['manual approval', 'send and wait', 'wait for approval', 'interrupt'],
    ],
    types: ['human_approval', 'user_input'],
    instead: 'Asks a person whether to go on, and goes one of two ways when they have answered, be it days later.',
  },
  {
    names: ['wait for input', 'user input', 'form', 'ask user', 'manual', 'human input', 'question to user', 'survey'],
    types: ['user_input', 'human_approval'],
    instead:
      'Waits until a person has filled in a form. What is known beforehand is an input of the flow ("flow.input"), asked for when it runs.',
  },
  {
    names: ['plan', 'planner', 'planning', 'plan and execute', 'proposal', 'task list'],
    types: ['plan_proposal', 'prompt#json'],
    instead: 'Checks a plan that a model has made, and gives it on as data; it carries nothing out.',
  },
  {
    names: ['loop', 'iterate', 'iterator', 'iteration', 'split in batches', 'batch', 'for', 'each item'],
    types: ['control.foreach', 'control.loop', 'list.map'],
    instead: 'Runs the nodes inside it once for each item of a list.',
  },
  {
    names: [
      'while',
      'until',
      'do while',
      'repeat',
      'repeat until',
      'loop until',
      'retry until',
      'evaluator',
      'reflection',
      'self correct',
      'refine',
      'converge',
    ],
    types: ['control.loop', 'control.foreach'],
    instead:
      'Runs the nodes inside it again and again until a condition holds. For the failures of one node there is "retry" in its policy.',
  },
  {
    names: [
      'llm',
      'chat',
      'gpt',
      'openai',
      'claude',
      'anthropic',
      'gemini',
      'ollama',
      'ai',
      'completion',
      'generate',
      'model',
      'chat model',
      'basic llm chain',
      'summarize',
      'classify',
      'text classifier',
      'question',
    ],
    types: ['prompt', 'agent'],
    instead: 'Asks any model: choose it in the settings of the node.',
  },
  {
    names: ['ai agent', 'crew', 'assistant', 'pack'],
    types: ['agent'],
    instead: 'Runs an agent file or an agent from a pack.',
  },
  {
    names: [
      'api',
      'rest',
      'fetch',
      'curl',
      'url',
      'web request',
      'get request',
      'post',
      'download',
      'http in',
      'scrape',
    ],
    types: ['http.request'],
    instead: 'Sends a request to a web server and gives its answer.',
  },
  {
    names: ['trigger', 'start', 'webhook', 'schedule', 'cron', 'begin', 'on event', 'chat trigger', 'inject'],
    types: [],
    instead:
      'A flow needs no trigger: it starts by Run, by "millrace run", or from another program. What it is given are its inputs.',
  },
  {
    names: ['end', 'output', 'return', 'respond', 'response', 'answer', 'result', 'respond to webhook', 'finish'],
    types: ['echo', 'file.write'],
    instead: 'What the last nodes of a flow give is its result; no node is needed for that.',
  },
  {
    names: ['error', 'throw', 'raise', 'stop', 'stop and error', 'exit', 'abort', 'break'],
    types: ['control.fail'],
    instead: 'Fails with a message, and with it the run.',
  },
  {
    names: ['try', 'catch', 'retry', 'fallback', 'error handler', 'on error', 'continue on fail'],
    types: [],
    instead:
      'Each node has this in its settings under "Policy": attempts, a pause between them, a time-out, and whether the run goes on.',
  },
  {
    names: ['no op', 'noop', 'no operation', 'do nothing', 'pass', 'pass through', 'identity', 'reroute'],
    types: ['control.noop'],
    instead: 'Does nothing, and gives on what it is given.',
  },
  {
    names: [
      'text',
      'string',
      'format',
      'markdown',
      'handlebars',
      'jinja',
      'prompt template',
      'compose',
      'html',
      'render',
    ],
    types: ['template', 'echo'],
    instead: 'Writes text from values, with loops and conditions (Handlebars).',
  },
  {
    names: ['debug', 'log', 'print', 'console', 'display', 'show', 'preview', 'chat output'],
    types: ['echo'],
    instead: 'Gives text on; what any node gave stands in its tab "Output" after a run.',
  },
  {
    names: [
      'json',
      'structured',
      'structured output',
      'schema',
      'output parser',
      'information extractor',
      'extract fields',
      'json mode',
      'json output',
      'json schema',
      'pydantic',
      'zod',
      'typed output',
      'function calling',
    ],
    types: ['prompt#json', 'prompt', 'json.parse'],
    instead: 'A prompt whose answer has fields, each of which nodes behind it can bind to.',
  },
  {
    names: ['parse', 'json parse', 'parse json', 'from json', 'deserialize', 'decode', 'text to json'],
    types: ['json.parse'],
    instead: 'Reads a text as JSON, or finds the JSON in it.',
  },
  {
    names: ['extract', 'jq', 'jsonpath', 'jmespath', 'pick', 'get field', 'select', 'path', 'item lists'],
    types: ['json.query'],
    instead: 'Takes parts out of a value. One field alone needs no node: bind to it, as in {{fetch.body.name}}.',
  },
  {
    names: ['map', 'list', 'array', 'split out', 'rename', 'for each value'],
    types: ['list.map', 'control.foreach'],
    instead: 'Makes a new list by filling a template with each item.',
  },
  {
    names: ['order', 'order by', 'rank', 'top', 'ascending', 'descending'],
    types: ['list.sort'],
    instead: 'Puts a list in order, by its items or by a field of each.',
  },
  {
    names: ['unique', 'distinct', 'dedupe', 'deduplicate', 'duplicates', 'remove duplicates'],
    types: ['list.unique'],
    instead: 'Keeps the first of equal items, or of items with an equal field.',
  },
  {
    names: ['split text', 'text splitter', 'lines', 'tokenize', 'chunk text', 'csv row'],
    types: ['text.split'],
    instead: 'Cuts a text at a separator, at new lines when none is given.',
  },
  {
    names: ['where', 'keep', 'remove items', 'reject', 'limit'],
    types: ['list.filter'],
    instead: 'Keeps the items for which a condition holds.',
  },
  {
    names: ['load', 'open', 'import', 'file input', 'document', 'csv', 'pdf', 'glob', 'read', 'directory', 'folder'],
    types: ['file.read'],
    instead: 'Reads one file, or all that a pattern names, as text.',
  },
  {
    names: ['save', 'export', 'store', 'file output', 'write', 'append', 'save file'],
    types: ['file.write'],
    instead: 'Writes text to a file of the workspace.',
  },
  {
    names: ['parallel', 'concurrent', 'fork', 'split', 'async'],
    types: [],
    instead:
      'Nodes that do not depend on each other can run side by side: set "Max parallel" in the policy of the flow, with nothing selected.',
  },
  {
    names: ['comment', 'note', 'sticky', 'sticky note', 'annotation'],
    types: [],
    instead: 'A note is no node: press Shift+S on the canvas.',
  },
];
