/**
 * Selects the input of a preview.
 */
import { useStore } from 'zustand';
import type { PreviewSource, PreviewView } from '../stores/agents/agent-previews.ts';
import { useStores } from '../stores/stores-context.tsx';
import { Field, TextArea, TextInput } from '../ui/field.tsx';
import { Segmented } from '../ui/segmented.tsx';
import { Select } from '../ui/select.tsx';
import { text } from './text.ts';

const kinds: readonly { value: PreviewSource['kind']; text: string }[] = [
  { value: 'own', text: text.input.own },
  { value: 'files', text: text.input.files },
  { value: 'text', text: text.input.text },
  { value: 'json', text: text.input.json },
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
        <span className="preview-label">{text.input.label}</span>
        {count > 1 ? <span>{text.input.place({ number: shown + 1, count })}</span> : null}
      </div>
      <Segmented<PreviewSource['kind']>
        label={text.input.source}
        value={source.kind}
        options={kinds}
        onChange={(kind) => setSource(path, { kind })}
      />
      <SourceField source={source} problem={problem} onChange={(change) => setSource(path, change)} />
      {count > 1 ? (
        <Select
          aria-label={text.input.which}
          value={String(shown)}
          options={(preview?.inputNames ?? []).map((name, at) => ({ value: String(at), text: name }))}
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

function SourceField({ source: { kind, files, text: typed, json }, problem, onChange }: SourceFieldProps) {
  if (kind === 'own') return null;
  if (kind === 'files') {
    return (
      <Field label={text.input.files} note={text.input.filesNote} problem={files === '' ? undefined : problem}>
        {(control) => (
          <TextInput
            {...control}
            placeholder={text.input.filesExample}
            value={files}
            onChange={(event) => onChange({ files: event.target.value })}
          />
        )}
      </Field>
    );
  }
  const isJson = kind === 'json';
  const value = isJson ? json : typed;
  return (
    <Field label={isJson ? text.input.json : text.input.text} problem={problem}>
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
