/**
 * Checks texts right behind the person who types them: at most one check of a file is under way, and the newest text is
 * checked last.
 */
import type { DocumentCheck, DocumentKind } from './check.ts';
import type { DocumentService } from './service.ts';

interface CheckedFile {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly text: string;
}

export interface DocumentChecks {
  /** Wishes for a check of a text; resolves when it, or one of a newer text of that file, was told or has failed. */
  request(file: CheckedFile): Promise<void>;
}

export interface DocumentListener {
  /** Hears each check with the text that it belongs to. */
  tell(path: string, text: string, check: DocumentCheck): void;
  /** Hears why a text could not be checked; the former check stays until there is one again. */
  fail(path: string, error: unknown): void;
}

export function createDocumentChecks(documents: DocumentService, { tell, fail }: DocumentListener): DocumentChecks {
  const wished = new Map<string, CheckedFile>();
  const underWay = new Map<string, Promise<void>>();

  const work = async (path: string): Promise<void> => {
    for (let file = wished.get(path); file !== undefined; file = wished.get(path)) {
      wished.delete(path);
      try {
        tell(path, file.text, await documents.check(file.kind, file.text));
      } catch (error) {
        fail(path, error);
      }
    }
  };

  return {
    request(file) {
      const { path } = file;
      wished.set(path, file);
      const current = underWay.get(path) ?? work(path).finally(() => underWay.delete(path));
      underWay.set(path, current);
      return current;
    },
  };
}
