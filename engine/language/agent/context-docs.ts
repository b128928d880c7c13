/**
 * Documents each field of `CTX` for script authors.
 */

interface ContextDoc {
  /** Type of the value, such as `string`. */
  readonly type: string;
  readonly summary: string;
}

/** Documentation by field. A test compares it with the actual `CTX`. */
export const contextDocs: Readonly<Record<string, ContextDoc>> = {
  WORKSPACE_DIR: { type: 'string', summary: 'The folder that is open.' },
  WORKSPACE_AIPACK_DIR: { type: 'string', summary: 'The folder of the workspace for packs and settings.' },
  BASE_AIPACK_DIR: { type: 'string', summary: "The folder with the person's packs and settings." },
  TMP_DIR: { type: 'string', summary: 'A folder of this session, the same for all its runs; `$tmp` in paths.' },
  PWD: { type: 'string', summary: 'The folder that the program was started in.' },
  SESSION_UID: { type: 'string', summary: 'Names the session: one start of the program.' },
  RUN_UID: { type: 'string', summary: 'Names the run.' },
  RUN_NUM: { type: 'integer', summary: 'How many runs the session had by now, this one included.' },
  PARENT_RUN_UID: { type: 'string', summary: 'The run that called this one; nil when none did.' },
  RUN_FLOW_REDO_COUNT: { type: 'integer | nil', summary: 'How many runs of a chain of redos came before.' },
  REDO_COUNT: { type: 'integer | nil', summary: 'The same as `RUN_FLOW_REDO_COUNT`.' },
  STAGE: { type: 'string', summary: '`BeforeAll`, `Data`, `Output` or `AfterAll`.' },
  TASK_UID: { type: 'string', summary: 'Names the task of this input; nil in Before All and After All.' },
  TASK_NUM: { type: 'integer', summary: 'The number of this input, from 1; nil in Before All and After All.' },
  AGENT_NAME: { type: 'string', summary: 'The agent as it was asked for.' },
  AGENT_FILE_PATH: { type: 'string', summary: 'Its file, absolute.' },
  AGENT_FILE_DIR: { type: 'string', summary: 'The folder of its file.' },
  AGENT_FILE_NAME: { type: 'string', summary: 'The name of its file.' },
  AGENT_FILE_STEM: { type: 'string', summary: 'The name of its file without `.aip`.' },
  PACK_NAMESPACE: { type: 'string', summary: 'Of the pack that the agent belongs to; nil without one.' },
  PACK_NAME: { type: 'string', summary: 'Of the pack that the agent belongs to; nil without one.' },
  PACK_IDENTITY: { type: 'string', summary: '`namespace@name` of the pack.' },
  PACK_REF: { type: 'string', summary: 'The pack as it was asked for, with the path inside of it.' },
  PACK_SUB_PATH: { type: 'string', summary: 'The path inside of the pack; nil for its main agent.' },
  PACK_DIR: { type: 'string', summary: 'The folder of the pack.' },
  PACK_BASE_SUPPORT_DIR: { type: 'string', summary: 'Where the pack keeps data for all workspaces.' },
  PACK_WORKSPACE_SUPPORT_DIR: { type: 'string', summary: 'Where the pack keeps data for this workspace.' },
  AIPACK_VERSION: { type: 'string', summary: 'The version whose behaviour packs find here.' },
  MILLRACE_VERSION: { type: 'string', summary: 'The version of this program.' },
};
