/**
 * Checks the texts of files while the user types.
 */
import type { DocumentCheck, DocumentKind } from './check.ts';
import type { DocumentService } from './service.ts';

interface CheckedFile {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly text: string;
}

/** Checks texts while the user types: one check per file at a time, the newest text last. */
interface DocumentChecks {
  /** Requests a check of a text. Resolves when it, or the check of a newer text of the file, is done or has failed. */
  request(file: CheckedFile): Promise<void>;
}

/**
 * @param onCheck called with each check and its text
 * @param onFailure called when a text could not be checked; the previous check is kept until there is a new one
 */
export function createDocumentChecks(
  documents: DocumentService,
  onCheck: (path: string, text: string, check: DocumentCheck) => void,
  onFailure: (path: string, error: unknown) => void,
): DocumentChecks {
  const wanted = new Map<string, CheckedFile>();
  const underWay = new Map<string, Promise<void>>();

  const work = async (path: string): Promise<void> => {
    for (let file = wanted.get(path); file !== undefined; file = wanted.get(path)) {
      wanted.delete(path);
      try {
        onCheck(path, file.text, await documents.check(file.kind, file.text));
      } catch (error) {
        onFailure(path, error);
      }
    }
  };

  return {
    request(file) {
      const { path } = file;
      wanted.set(path, file);
      const current = underWay.get(path) ?? work(path).finally(() => underWay.delete(path));
      underWay.set(path, current);
      return current;
    },
  };
}
