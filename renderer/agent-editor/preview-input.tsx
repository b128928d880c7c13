/**
 * Selects the input of a preview.
 */
import { useStore } from 'zustand';
import type { PreviewSource, PreviewView } from '../stores/agents/agent-previews.ts';
import { useStores } from '../stores/stores-context.tsx';
import { Field, TextArea, TextInput } from '../ui/field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Select } from '../ui/select.tsx';

const kinds: readonly { value: PreviewSource['kind']; text: string }[] = [
  { value: 'own', text: "The agent's" },
  { value: 'files', text: 'Files' },
  { value: 'text', text: 'Text' },
  { value: 'json', text: 'JSON' },
];

interface PreviewInputProps {
  readonly path: string;
  readonly view: PreviewView;
  /** Why the source provides no input; undefined if it does. */
  readonly problem: string | undefined;
}

export function PreviewInput({ path, view: { source, preview, index }, problem }: PreviewInputProps) {
  const { agentPreviews } = useStores();
  const { setSource, choose } = useStore(agentPreviews);
  const count = preview?.inputCount ?? 0;
  const shown = Math.min(index, Math.max(0, count - 1));
  return (
    <div className="preview-input">
      <div className="preview-part-head">
        <span className="preview-label">Input</span>
        {count > 1 ? <span>{`${shown + 1} of ${count.toLocaleString('en')}`}</span> : null}
      </div>
      <Segmented<PreviewSource['kind']>
        label="Where the input comes from"
        value={source.kind}
        options={kinds}
        onChange={(kind) => setSource(path, { kind })}
      />
      <SourceField source={source} problem={problem} onChange={(change) => setSource(path, change)} />
      {count > 1 ? (
        <Select
          aria-label="Which input"
          value={String(shown)}
          options={(preview?.inputNames ?? []).map((text, at) => ({ value: String(at), text }))}
          onChange={(at) => choose(path, Number(at))}
        />
      ) : null}
    </div>
  );
}

interface SourceFieldProps {
  readonly source: PreviewSource;
  readonly problem: string | undefined;
  readonly onChange: (change: Partial<PreviewSource>) => void;
}

function SourceField({ source: { kind, files, text, json }, problem, onChange }: SourceFieldProps) {
  if (kind === 'own') return null;
  if (kind === 'files') {
    return (
      <Field label="Files" note="a path or a glob" problem={files === '' ? undefined : problem}>
        {(control) => (
          <TextInput
            {...control}
            placeholder="notes/**/*.md"
            value={files}
            onChange={(event) => onChange({ files: event.target.value })}
          />
        )}
      </Field>
    );
  }
  const isJson = kind === 'json';
  const value = isJson ? json : text;
  return (
    <Field label={isJson ? 'JSON' : 'Text'} problem={problem}>
      {(control) => (
        <TextArea
          {...control}
          rows={3}
          value={value}
          onChange={(event) => onChange(isJson ? { json: event.target.value } : { text: event.target.value })}
        />
      )}
    </Field>
  );
}
