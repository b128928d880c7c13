/**
 * Chooses files and uploads them at once, so that the form can be sent, or sent again, without them.
 */
import { FileText, X } from 'lucide-react';
import { type DragEvent, useState } from 'react';
import type { PageField } from '../../engine/host/http/page-data.ts';
import type { ControlProps } from '../ui/field.tsx';
import { byteText } from '../ui/quantity-text.ts';
import { type UploadedFile, uploadedIn } from './drafts.ts';
import { RefusedError } from './service.ts';
import { text } from './text.ts';
import './file-control.css';

/** How a form accepts files. */
export interface FileRules {
  readonly mostBytes: number;
  readonly mostFiles: number;
  /** Uploads a file, and returns its path. @throws RefusedError */
  readonly upload: (file: File) => Promise<string>;
}

interface FileControlProps {
  readonly field: PageField;
  readonly draft: string;
  readonly control: ControlProps;
  readonly rules: FileRules;
  readonly onChange: (draft: string) => void;
  /** Called with 1 when an upload starts, and with -1 when it ends. */
  readonly onPending: (change: 1 | -1) => void;
}

function problemWith(file: File, { accept = [] }: PageField, { mostBytes }: FileRules): string | undefined {
  const { name, size } = file;
  if (size > mostBytes) return text.form.fileTooLarge({ name, size: byteText(mostBytes) });
  const isAccepted = accept.length === 0 || accept.some((ending) => name.toLowerCase().endsWith(ending.toLowerCase()));
  return isAccepted ? undefined : text.form.fileType({ name, endings: accept.join(', ') });
}

/** Uploads files one after another. Several people may use a small service. */
function useUploads({ field, draft, rules, onChange, onPending }: FileControlProps) {
  const [uploading, setUploading] = useState<string | null>(null);
  const [problem, setProblem] = useState('');
  const isList = field.type === 'array';
  const most = isList ? rules.mostFiles : 1;
  const send = async (file: File): Promise<readonly UploadedFile[]> => {
    const { name, size: bytes } = file;
    setUploading(name);
    onPending(1);
    try {
      return [{ path: await rules.upload(file), name, bytes }];
    } catch (error) {
      setProblem(error instanceof RefusedError && error.message ? error.message : text.form.uploadFailed({ name }));
      return [];
    } finally {
      onPending(-1);
    }
  };
  const add = async (chosen: readonly File[]): Promise<void> => {
    let files = isList ? uploadedIn(draft) : [];
    const [wrong] = chosen.flatMap((file) => problemWith(file, field, rules) ?? []);
    const isTooMany = files.length + chosen.length > most;
    setProblem(wrong ?? (isTooMany ? text.form.tooManyFiles({ count: most }) : ''));
    if (wrong !== undefined || isTooMany) return;
    for (const file of chosen) {
      files = [...files, ...(await send(file))];
      onChange(files.length === 0 ? '' : JSON.stringify(files));
    }
    setUploading(null);
  };
  return { add, uploading, problem, isList };
}

function UploadedList({ draft, onChange }: Pick<FileControlProps, 'draft' | 'onChange'>) {
  const files = uploadedIn(draft);
  const remove = (path: string): void => {
    const left = files.filter((file) => file.path !== path);
    onChange(left.length === 0 ? '' : JSON.stringify(left));
  };
  return (
    <ul>
      {files.map(({ path, name, bytes }) => (
        <li key={path} className="page-file">
          <FileText aria-hidden size={18} />
          <span className="page-file-name" dir="auto">
            {name}
          </span>
          <span className="page-file-size">{byteText(bytes)}</span>
          <button
            type="button"
            className="page-file-remove"
            aria-label={text.form.removeFile({ name })}
            onClick={() => remove(path)}
          >
            <X aria-hidden size={18} />
          </button>
        </li>
      ))}
    </ul>
  );
}

export function FileControl(props: FileControlProps) {
  const { field, draft, control, rules, onChange } = props;
  const { add, uploading, problem, isList } = useUploads(props);
  const [isOver, setIsOver] = useState(false);
  const chooseText = isList ? (draft === '' ? text.form.chooseFiles : text.form.moreFiles) : text.form.chooseFile;
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    setIsOver(false);
    void add([...event.dataTransfer.files]);
  };
  const size = byteText(rules.mostBytes);
  const most = isList ? text.form.filesNote({ count: rules.mostFiles, size }) : text.form.fileNote({ size });
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same
    <div
      className="page-drop"
      data-over={isOver}
      data-invalid={control['aria-invalid']}
      onDragOver={(event) => {
        event.preventDefault();
        setIsOver(true);
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={drop}
    >
      <UploadedList draft={draft} onChange={onChange} />
      <input
        {...control}
        type="file"
        className="visually-hidden"
        multiple={isList}
        accept={field.accept?.join(',')}
        onChange={(event) => {
          void add([...(event.target.files ?? [])]);
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
      <label htmlFor={control.id} className="page-choose">
        {chooseText}
      </label>
      <p className="page-quiet">{[...(field.accept ?? []), most].join(', ')}</p>
      <p className="page-quiet" role="status">
        {uploading === null ? '' : text.form.uploading({ name: uploading })}
      </p>
      <p className="page-problem" role="alert">
        {problem}
      </p>
    </div>
  );
}
