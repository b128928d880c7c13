/**
 * Documents each field of `CTX` for script authors.
 */

interface ContextDoc {
  /** The value's type, such as `string`. */
  readonly type: string;
  readonly summary: string;
}

/** Documentation by field. A test compares it with the actual `CTX`. */
export const contextDocs: Readonly<Record<string, ContextDoc>> = {
  WORKSPACE_DIR: { type: 'string', summary: 'The workspace folder.' },
  WORKSPACE_AIPACK_DIR: { type: 'string', summary: "This workspace's folder for packs and settings." },
  BASE_AIPACK_DIR: { type: 'string', summary: "The user's folder for packs and settings." },
  TMP_DIR: {
    type: 'string',
    summary: 'The temporary folder of this session, shared by all its runs; `$tmp` in paths.',
  },
  PWD: { type: 'string', summary: 'The folder that Millrace started in.' },
  SESSION_UID: { type: 'string', summary: 'The ID of the session. Each start of Millrace is a session.' },
  RUN_UID: { type: 'string', summary: 'The ID of the run.' },
  RUN_NUM: { type: 'integer', summary: 'The number of runs in the session so far, including this one.' },
  PARENT_RUN_UID: { type: 'string', summary: 'The ID of the run that started this one; nil if no run started it.' },
  RUN_FLOW_REDO_COUNT: { type: 'integer | nil', summary: 'The number of earlier runs in a chain of redos.' },
  REDO_COUNT: { type: 'integer | nil', summary: 'Same as `RUN_FLOW_REDO_COUNT`.' },
  STAGE: { type: 'string', summary: '`BeforeAll`, `Data`, `Output` or `AfterAll`.' },
  TASK_UID: { type: 'string', summary: 'The ID of the task for this input; nil in Before All and After All.' },
  TASK_NUM: { type: 'integer', summary: 'The one-based number of this input; nil in Before All and After All.' },
  AGENT_NAME: { type: 'string', summary: 'The name of the agent as requested.' },
  AGENT_FILE_PATH: { type: 'string', summary: 'The absolute path of the agent file.' },
  AGENT_FILE_DIR: { type: 'string', summary: 'The folder of the agent file.' },
  AGENT_FILE_NAME: { type: 'string', summary: 'The name of the agent file.' },
  AGENT_FILE_STEM: { type: 'string', summary: 'The name of the agent file without `.aip`.' },
  PACK_NAMESPACE: { type: 'string', summary: "The namespace of the agent's pack; nil without a pack." },
  PACK_NAME: { type: 'string', summary: "The name of the agent's pack; nil without a pack." },
  PACK_IDENTITY: { type: 'string', summary: '`namespace@name` of the pack.' },
  PACK_REF: { type: 'string', summary: 'The pack as requested, with the path inside it.' },
  PACK_SUB_PATH: { type: 'string', summary: 'The path inside the pack; nil for its main agent.' },
  PACK_DIR: { type: 'string', summary: 'The folder of the pack.' },
  PACK_BASE_SUPPORT_DIR: { type: 'string', summary: 'The data folder of the pack, shared by all workspaces.' },
  PACK_WORKSPACE_SUPPORT_DIR: { type: 'string', summary: 'The data folder of the pack in this workspace.' },
  AIPACK_VERSION: { type: 'string', summary: 'The AIPack version that Millrace is compatible with.' },
  MILLRACE_VERSION: { type: 'string', summary: 'The version of Millrace.' },
};
