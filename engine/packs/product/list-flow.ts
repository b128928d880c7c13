/**
 * Adds a new flow to the list in a product's manifest. If a manifest has such a list, only listed flows count.
 */
import { EngineError, toErrorRecord } from '../../base/engine-error.ts';
import { applyEdits } from '../../base/text-edit.ts';
import { mannerOfList } from '../../language/edit/flow-manner.ts';
import { findEdits, notPossible, readMapText, shiftedEdits } from '../../language/edit/yaml/edit-text.ts';
import { flowNameOfFile, isProductFlowPath } from '../../language/flow/product-path.ts';
import { isJsonList, isJsonMap, type JsonMap, type JsonValue } from '../../language/json/json-value.ts';
import { readWorkspaceText, writeWorkspaceText } from '../../world/files/workspace-texts.ts';
import { manifestName, parseProductManifest } from './product-manifest.ts';

/**
 * Adds a flow that has been written. An unreadable manifest is not changed; its problems are reported elsewhere.
 * @param workspace absolute
 * @param path of the flow, relative to the workspace with forward slashes
 * @returns the path of the manifest; undefined if it lists no flows or already lists this one, or if the file is not a
 * flow of a product
 * @throws EngineError `product.not-listed` if it cannot be added
 */
export async function listFlow(workspace: string, path: string): Promise<string | undefined> {
  if (!isProductFlowPath(path)) return undefined;
  const [folder, product, , file = ''] = path.split('/');
  const manifest = `${folder}/${product}/${manifestName}`;
  const expected = await readWorkspaceText(workspace, manifest).then(
    ({ text }) => text,
    () => '',
  );
  try {
    const text = withListedFlow(expected, file);
    if (text === undefined) return undefined;
    await writeWorkspaceText(workspace, { path: manifest, text, expected });
    return manifest;
  } catch (thrown) {
    const { message } = toErrorRecord(thrown);
    throw new EngineError({
      code: 'product.not-listed',
      message: `${path} was created but is not listed yet. Add it to flows in ${manifest}: ${message}`,
    });
  }
}

/**
 * Returns a manifest's text after adding a flow in the style of the existing entries.
 * @param file name of the flow's file
 * @returns undefined if there is nothing to add
 * @throws EngineError `edit.refused`
 */
export function withListedFlow(text: string, file: string): string | undefined {
  const { flows: listed } = parseProductManifest(text).manifest ?? {};
  const name = flowNameOfFile(file) ?? file;
  if (listed === undefined) return undefined;
  if (listed.some(({ written }) => [file, name].includes(written.split(/[/\\]/).at(-1) ?? ''))) return undefined;
  const edits = shiftedEdits(text, (source) => {
    const manifest = readMapText(source, 'The manifest must be a map.');
    const value: JsonMap = manifest.value;
    const root: JsonMap = { ...value, flows: withOneMore(value['flows'], file, name) };
    const found = findEdits(manifest, root, {
      mannerOf: (written, mayKeepLines) =>
        mannerOfList(written, 'flows', mayKeepLines, ({ item }) => item === 'inline'),
      renamed: new Map(),
      mayBecome: () => false,
      respell: () => undefined,
      isWhole: (path, isWholeWay) => isWholeWay && path.length > 0,
    });
    if (found === undefined) throw notPossible(manifest, root);
    return found;
  });
  return applyEdits(text, edits);
}

function withOneMore(flows: JsonValue | undefined, file: string, name: string): JsonValue {
  if (isJsonList(flows)) return [...flows, entryLike(flows.at(-1), file, name)];
  if (isJsonMap(flows)) return { ...flows, [name]: entryLike(Object.values(flows).at(-1), file, name) };
  return [flows ?? null, entryLike(flows, file, name)];
}

/** Returns a new entry in the form of another one: a name, a file, a path, or a map with one of these. */
function entryLike(other: JsonValue | undefined, file: string, name: string): JsonValue {
  if (isJsonMap(other)) {
    const key = ['file', 'path', 'flow', 'id', 'name'].find((one) => typeof other[one] === 'string') ?? 'file';
    return { [key]: entryLike(other[key], file, name) };
  }
  if (typeof other !== 'string') return other === null ? null : name;
  const isFile = /\.(?:ya?ml|json)$/i.test(other);
  const folder = /^(?:\.\/)?flows\//.exec(other)?.[0] ?? '';
  return isFile ? `${folder}${file}` : `${folder}${name}`;
}
