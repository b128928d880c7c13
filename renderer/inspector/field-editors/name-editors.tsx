/**
 * Fields for names with suggestions: agents, flows, files. Any other text is also accepted.
 */
import { SquareArrowOutUpRight } from 'lucide-react';
import { useCallback, useMemo } from 'react';
import { useStore } from 'zustand';
import { useStores } from '../../stores/stores-context.tsx';
import { nameFrom, openCalledFlow } from '../../stores/text/called-flows.ts';
import { IconButton } from '../../ui/button.tsx';
import { useFormScope } from '../fields/form-scope.tsx';
import { useDraftText } from '../fields/use-draft-text.tsx';
import type { FieldEditorProps } from './field-editor-props.ts';
import { PickText } from './pick-text.tsx';
import type { FieldSuggestion } from './suggestions.tsx';
import { text } from './text.ts';
import { placeholderOf } from './text-editor.tsx';

interface NameEditorProps extends FieldEditorProps {
  readonly suggestions: readonly FieldSuggestion[];
  readonly listLabel: string;
  readonly placeholder?: string;
  readonly onEnter: () => void;
}

/** A line of text with suggestions. */
function NameEditor({ field, value, onChange, control, ...rest }: NameEditorProps) {
  const draft = useDraftText(value === undefined ? '' : String(value), (typed, mergeKey) =>
    onChange(typed === '' && !field.isRequired ? undefined : typed, mergeKey),
  );
  const { suggestions, listLabel, placeholder = placeholderOf({ field }), onEnter } = rest;
  return (
    <PickText
      control={control}
      draft={draft}
      suggestions={suggestions}
      listLabel={listLabel}
      placeholder={placeholder}
      onEnter={onEnter}
    />
  );
}

/** Agents of the workspace and of packs, with a link to the selected one. */
export function AgentEditor(props: FieldEditorProps) {
  const { workspace, packs, agents: actions } = useStores();
  const own = useStore(workspace, ({ agents }) => agents);
  const list = useStore(packs, (state) => state.list);
  const suggestions: FieldSuggestion[] = [
    ...own.map(({ agent }) => ({ text: agent, detail: text.names.workspace })),
    ...list.flatMap(({ ref, isShadowed, agents }) =>
      isShadowed ? [] : agents.map(({ agent }) => ({ text: agent, detail: ref })),
    ),
  ];
  const { value } = props;
  return (
    <span className="name-editor">
      <NameEditor
        {...props}
        suggestions={suggestions}
        listLabel={text.names.agents}
        onEnter={() => {
          void workspace.getState().refreshAgents();
          void packs.getState().load();
        }}
      />
      {typeof value === 'string' && value !== '' ? (
        <IconButton label={text.names.openAgent} onClick={() => void actions.open(value)}>
          <SquareArrowOutUpRight aria-hidden size={14} />
        </IconButton>
      ) : null}
    </span>
  );
}

/** The other flows of the workspace and those of packs, with a link to the selected one. */
export function FlowEditor(props: FieldEditorProps) {
  const { workspace, packs, openFiles, notices } = useStores();
  const { filePath } = useFormScope();
  const own = useStore(workspace, ({ flows }) => flows);
  const list = useStore(packs, (state) => state.list);
  const suggestions: FieldSuggestion[] = [
    ...own.flatMap(({ path }) =>
      path === filePath ? [] : [{ text: nameFrom(filePath, path), detail: text.names.workspace }],
    ),
    ...list.flatMap(({ ref, isShadowed, flows }) =>
      isShadowed ? [] : flows.map((flow) => ({ text: `${ref}/${flow}`, detail: ref })),
    ),
  ];
  const { value } = props;
  return (
    <span className="name-editor">
      <NameEditor
        {...props}
        suggestions={suggestions}
        listLabel={text.names.flows}
        placeholder={text.names.flowExample}
        onEnter={() => {
          void workspace.getState().refresh();
          void packs.getState().load();
        }}
      />
      {typeof value === 'string' && value !== '' && !value.includes('{{') ? (
        <IconButton
          label={text.names.openFlow}
          onClick={() => void openCalledFlow({ openFiles, notices }, filePath, value)}
        >
          <SquareArrowOutUpRight aria-hidden size={14} />
        </IconButton>
      ) : null}
    </span>
  );
}

/**
 * The known tools, and an entry for all tools of each server, because a server may not have been queried yet. Any other
 * name can be typed.
 */
export function ToolEditor(props: FieldEditorProps) {
  const { tools, servers } = useStores();
  const rows = useStore(tools, (state) => state.rows);
  const named = useStore(servers, (state) => state.list);
  const suggestions = useMemo(
    (): readonly FieldSuggestion[] => [
      ...(rows ?? [])
        .filter(({ problem }) => problem === undefined)
        .map(({ name, title, description }) => ({ text: name, detail: title ?? description.slice(0, 80) })),
      ...(named ?? [])
        .filter(({ state }) => state !== 'untrusted')
        .map(({ name, state }) => ({
          text: `${name}.*`,
          detail: state === 'idle' ? text.names.idleServerTools : text.names.serverTools,
        })),
    ],
    [rows, named],
  );
  return (
    <NameEditor
      {...props}
      suggestions={suggestions}
      listLabel={text.names.tools}
      placeholder={text.names.toolExample}
      onEnter={() => {
        void tools.getState().refresh();
        void servers.getState().refresh();
      }}
    />
  );
}

interface FileNameProps extends FieldEditorProps {
  /** Returns the names to suggest for the files. */
  readonly namesOf: (paths: readonly string[]) => readonly string[];
  readonly listLabel: string;
  readonly placeholder: string;
}

/** Names of files, read when the field receives the focus. If the list is not available, a name can still be typed. */
function FileNameEditor({ namesOf, ...props }: FileNameProps) {
  const { workspace } = useStores();
  const files = useStore(workspace, (state) => state.files);
  const suggestions = useMemo(() => namesOf(files ?? []).map((name) => ({ text: name })), [namesOf, files]);
  return (
    <>
      <NameEditor {...props} suggestions={suggestions} onEnter={() => void workspace.getState().refreshFiles()} />
      <FilesProblem />
    </>
  );
}

/** Shows that the files could not be listed, with a button to try again. Renders nothing otherwise. */
export function FilesProblem() {
  const { workspace } = useStores();
  const error = useStore(workspace, (state) => state.filesError);
  if (error === null) return null;
  return (
    <p className="field-problem" role="alert">
      {text.names.filesFailed({ problem: error.message })}{' '}
      <button type="button" className="inspector-line-link" onClick={() => void workspace.getState().refreshFiles()}>
        {text.names.tryAgain}
      </button>
    </p>
  );
}

const asTheyAre = (paths: readonly string[]): readonly string[] => paths;

/** Workspace files. */
export function FileEditor(props: FieldEditorProps) {
  return (
    <FileNameEditor {...props} namesOf={asTheyAre} listLabel={text.names.files} placeholder={text.names.fileExample} />
  );
}

/** Scripts of the workspace, relative to the file of the form. */
export function ScriptEditor(props: FieldEditorProps) {
  const { filePath } = useFormScope();
  const namesOf = useCallback(
    (paths: readonly string[]) =>
      paths.filter((path) => /\.(lua|m?js)$/.test(path)).map((path) => nameFrom(filePath, path)),
    [filePath],
  );
  return (
    <FileNameEditor
      {...props}
      namesOf={namesOf}
      listLabel={text.names.scripts}
      placeholder={text.names.scriptExample}
    />
  );
}

/** Folders with a skill, relative to the file of the form. */
export function SkillEditor(props: FieldEditorProps) {
  const { filePath } = useFormScope();
  const namesOf = useCallback(
    (paths: readonly string[]) =>
      paths.flatMap((path) =>
        path.endsWith('/SKILL.md') ? nameFrom(filePath, path).slice(0, -'/SKILL.md'.length) : [],
      ),
    [filePath],
  );
  return (
    <FileNameEditor {...props} namesOf={namesOf} listLabel={text.names.skills} placeholder={text.names.skillExample} />
  );
}
