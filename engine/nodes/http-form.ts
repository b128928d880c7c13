/**
 * Forms that requests send: texts, and files of the workspace, which are read while they are sent.
 */
import { z } from 'zod';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue, textForm } from '../flowspec/json-value.ts';
import type { FilesCapability, OpenedFile } from '../kernel/files-capability.ts';
import { mediaTypeOf } from '../kernel/media-type.ts';
import type { FormPart } from '../kernel/web-capability.ts';
import { anyJson } from './shared-schemas.ts';

interface FileField {
  readonly file: string;
  readonly fileName?: string;
  readonly mediaType?: string;
}

const fieldSchema = anyJson.superRefine((value, { addIssue }) => {
  const message = 'must be a text, { file: path, fileName?, mediaType? }, or a list of them';
  const fields = isJsonList(value) ? value : [value];
  if (!fields.every((field) => isFile(field) || isText(field))) addIssue({ code: 'custom', message });
});

export const formSchema = z.record(z.string().min(1), fieldSchema);

function isText(value: JsonValue): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function isFile(value: JsonValue): value is JsonMap & FileField {
  if (!isJsonMap(value) || typeof value['file'] !== 'string' || value['file'] === '') return false;
  const { file: _, ...rest } = value;
  return Object.entries(rest).every(
    ([key, part]) => (key === 'fileName' || key === 'mediaType') && typeof part === 'string',
  );
}

interface FormWorld {
  readonly files: FilesCapability;
  readonly signal: AbortSignal;
}

/** Opens the files of a form while it is sent. @throws EngineError `files.*`; what `use` throws */
export async function withForm<T>(
  form: Readonly<Record<string, JsonValue>> | undefined,
  { files, signal }: FormWorld,
  use: (parts: readonly FormPart[] | undefined) => Promise<T>,
): Promise<T> {
  if (form === undefined) return await use(undefined);
  const fields = Object.entries(form).flatMap(([name, value]) =>
    (isJsonList(value) ? value : [value]).map((field) => ({ name, field })),
  );
  const paths = fields.flatMap(({ field }) => (isFile(field) ? [field.file] : []));
  return await files.withOpened(
    paths,
    async (opened) => {
      const rest = [...opened];
      return await use(
        fields.map(({ name, field }) => {
          const file = isFile(field) ? rest.shift() : undefined;
          return file === undefined || !isFile(field) ? { name, text: textForm(field) } : filePart(name, field, file);
        }),
      );
    },
    signal,
  );
}

function filePart(name: string, { fileName, mediaType }: FileField, file: OpenedFile): FormPart {
  const ownName = file.path.slice(file.path.lastIndexOf('/') + 1);
  return {
    name,
    fileName: fileName ?? ownName,
    mediaType: mediaType ?? mediaTypeOf(ownName),
    sizeBytes: file.sizeBytes,
    open: () => file.pieces(),
  };
}
