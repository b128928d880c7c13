/**
 * Creates new agents, packs and flows from templates. Each of them can be run without changes.
 */
import { constants } from 'node:fs';
import { copyFile, link, mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { EngineError } from '../../base/engine-error.ts';
import { systemCodeOf } from '../../world/files/file-error.ts';
import { draftName } from '../../world/files/folders/held-folder.ts';
import { isTaken } from '../../world/files/folders/move-path.ts';
import { isPackName } from './pack-manifest.ts';

interface NewFile {
  /** Relative path with forward slashes. */
  readonly path: string;
  readonly text: string;
}

/** Returns the text of an agent file that works without a model and explains each part. */
export function newAgentText(title: string): string {
  return `# Description

${oneLine(title)}. Text under this heading is for people only.

# Options

\`\`\`toml
input_concurrency = 2
\`\`\`

# Data

\`\`\`lua
-- Runs for each input: a text (-i) or a file (-f). Its result is available as "data" below.
local text = input
if is_table(input) then text = aip.file.load(input.path).content end
if text == nil then return aip.flow.skip("No input. Pass one with -i or -f.") end
return { text = text }
\`\`\`

# Output

\`\`\`lua
-- Runs after the model has responded. Returns the result for this input.
-- To use a model, add the headings "# System" and "# Instruction" above, use {{data.text}} in their text, and set a model.
if ai_response then return ai_response.content end
return { characters = #data.text }
\`\`\`
`;
}

/** Returns the manifest of a new pack. */
export function newManifestText(namespace: string, name: string, version = '0.1.0'): string {
  return `[pack]
namespace = "${namespace}"
name = "${name}"
version = "${version}"
# license = "MIT"
# homepage = ""
# author = ""
`;
}

/**
 * Returns a manifest for a folder without one: the folder's name, adjusted to be a valid pack name, in the namespace
 * `my`.
 * @param folder absolute
 */
export function suggestedManifest(folder: string): string {
  const name = basename(folder).replace(/[^a-zA-Z0-9_-]+/g, '_');
  return newManifestText('my', isPackName(name) ? name : `pack_${name}`.replace(/_+$/, ''));
}

/**
 * Returns the files of a new pack: manifest, readme, main agent.
 * @throws EngineError `pack.bad-ref` if a name is invalid
 */
export function newPackFiles(namespace: string, name: string, version?: string): readonly NewFile[] {
  for (const part of [namespace, name]) {
    if (isPackName(part)) continue;
    throw new EngineError({
      code: 'pack.bad-ref',
      message: `${JSON.stringify(part)} cannot be part of a pack's name. Use letters, digits, "_" and "-", and begin with a letter or "_".`,
    });
  }
  const ref = `${namespace}@${name}`;
  return [
    { path: 'pack.toml', text: newManifestText(namespace, name, version) },
    { path: 'README.md', text: `# ${ref}\n\nWhat this pack does.\n\n    millrace run ${ref} -i "some text"\n` },
    { path: 'main.aip', text: newAgentText(`The main agent of ${ref}`) },
  ];
}

/** Returns the text of a flow with two nodes. */
export function newFlowText(title: string): string {
  return `flow:
  name: ${JSON.stringify(oneLine(title))}
  version: 1
  input:
    name: world

nodes:
  - id: greet
    type: template
    input: { name: "{{flow.input.name}}" }
    config: { template: "Hello {{name}}!" }

  - id: result
    type: echo
    input: { text: "{{greet.text}}" }

edges:
  - { from: greet, to: result }
`;
}

/**
 * Writes new files, all or none.
 * @param folder absolute; created if missing
 * @returns their absolute paths
 * @throws EngineError `files.exists` if one of them already exists; the system's error
 */
export async function writeNewFiles(folder: string, files: readonly NewFile[]): Promise<readonly string[]> {
  const places = files.map(({ path }) => join(folder, path));
  for (const place of places) if (await isTaken(place)) throw exists(place);
  const written: string[] = [];
  try {
    for (const { path, text } of files) {
      const place = join(folder, path);
      if (!(await writeIfMissing(place, text))) throw exists(place);
      written.push(place);
    }
  } catch (error) {
    for (const place of written) await rm(place, { force: true });
    throw error;
  }
  return places;
}

function exists(place: string): EngineError {
  return new EngineError({ code: 'files.exists', message: `${place} already exists. Choose another name.` });
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim() || 'New';
}

/**
 * Writes a file unless its path exists. Readers see the whole file or none, even after a crash.
 * @param file absolute
 * @returns whether it was written
 * @throws the system's error
 */
export async function writeIfMissing(file: string, text: string): Promise<boolean> {
  if (await isTaken(file)) return false;
  await mkdir(dirname(file), { recursive: true });
  const draft = join(dirname(file), draftName());
  try {
    await writeFile(draft, text, { flag: 'wx' });
    // A rename would replace a file that appeared in the meantime. Not every file system has links.
    await link(draft, file).catch(() => copyFile(draft, file, constants.COPYFILE_EXCL));
    return true;
  } catch (error) {
    if (systemCodeOf(error) === 'EEXIST') return false;
    // The error names the draft or nothing.
    throw error instanceof Error ? Object.assign(error, { path: file, dest: undefined }) : error;
  } finally {
    await rm(draft, { force: true });
  }
}
