import { isJsonList, type JsonValue, textForm } from '../../language/json/json-value.ts';
import type { FilesCapability, OpenedFile } from '../kernel/capabilities/files-capability.ts';
import { mediaTypeOf } from '../kernel/capabilities/media-type.ts';
import type { FormPart } from '../kernel/capabilities/web-capability.ts';
import { type FormFileField, isFile } from './form-schema.ts';

interface FormWorld {
  readonly files: FilesCapability;
  readonly signal: AbortSignal;
}

/** Opens a form's files while the form is sent. @throws EngineError `files.*`; errors from `use` */
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

function filePart(name: string, { fileName, mediaType }: FormFileField, file: OpenedFile): FormPart {
  const ownName = file.path.slice(file.path.lastIndexOf('/') + 1);
  return {
    name,
    fileName: fileName ?? ownName,
    mediaType: mediaType ?? mediaTypeOf(ownName),
    sizeBytes: file.sizeBytes,
    open: () => file.pieces(),
  };
}
